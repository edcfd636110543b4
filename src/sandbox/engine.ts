import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Environment } from "../support/environment.ts";
import { systemEnvironment } from "../support/process/system-program.ts";
import { findOutsidePython, findProgram } from "./find-program.ts";
import { settingLimits } from "./landlock-launcher.ts";
import { trySandboxExec } from "./macos/try-sandbox-exec.ts";
import type { SandboxMode } from "./sandbox-plan.ts";

export type EngineName = "bwrap" | "landlock" | "sandbox-exec";

/** A way to limit programs on this machine, or why there is none. */
export type Engine = UsableEngine | { readonly name: null; readonly reason: string; readonly remedy: string };

export type UsableEngine =
  /** `python` comes from elsewhere than the working folder; a list of hosts needs it. */
  | { readonly name: "bwrap"; readonly program: string; readonly python?: string | undefined }
  /** `python` sets the limits, and comes from elsewhere than the working folder. Some systems allow no mounts. */
  | { readonly name: "landlock"; readonly python: string; readonly withoutMounts?: boolean }
  /** For macOS. `python` tries the limits before a program starts, and comes from elsewhere than the working folder. */
  | { readonly name: "sandbox-exec"; readonly program: string; readonly python: string };

/** With the reason for the choice, to stand behind "because". */
type ChosenEngine = (UsableEngine & { readonly because: string }) | Exclude<Engine, UsableEngine>;

export interface EngineWish {
  readonly mode: SandboxMode;
  readonly engine: EngineName | "auto";
  readonly cwd: string;
  /** More folders that cells may write: programs in them do not count. */
  readonly write?: readonly string[] | undefined;
  readonly env: Environment;
  /** For a start: nothing comes after Landlock, and where it does not work, its launcher says so and starts nothing. */
  readonly landlockUntried?: boolean | undefined;
}

/** bubblewrap where it works, else Landlock with seccomp; on macOS sandbox-exec. Never rejects. */
export async function chooseEngine(wish: EngineWish, platform = process.platform): Promise<ChosenEngine> {
  if (platform === "darwin") return onMac(wish);
  if (platform !== "linux") return none(`There is no sandbox for ${platform} yet.`, noneHere);
  if (wish.engine === "sandbox-exec") return none("sandbox-exec is for macOS.", useAuto);
  return wish.engine === "landlock" ? onlyLandlock(wish) : bwrapFirst(wish);
}

async function onlyLandlock(wish: EngineWish): Promise<ChosenEngine> {
  const because = "python.sandboxEngine is landlock";
  if (wish.mode === "strict") {
    return none(`A strict sandbox needs bubblewrap, and ${because}.`, `${useBwrap} ${orWorkspace}`);
  }
  const landlock = await tryLandlock(wish);
  return typeof landlock === "string" ? none(landlock, useBwrap) : { ...landlock, because };
}

async function bwrapFirst(wish: EngineWish): Promise<ChosenEngine> {
  const bwrap = await tryBwrap(wish);
  const isNamed = wish.engine === "bwrap";
  if (typeof bwrap !== "string")
    return { ...bwrap, because: isNamed ? "python.sandboxEngine is bwrap" : "it works here" };
  const remedy = bwrap === notInstalled ? install : allowNamespaces;
  if (isNamed) return none(`bubblewrap cannot be used. ${bwrap}`, remedy);
  if (wish.mode === "strict") {
    return none(`A strict sandbox needs bubblewrap, which cannot be used. ${bwrap}`, `${remedy} ${orWorkspace}`);
  }
  const landlock = await tryLandlock(wish);
  return typeof landlock === "string"
    ? none(`${bwrap} ${landlock}`, remedy)
    : { ...landlock, because: bwrap.replace(/\.$/, "") };
}

async function onMac(wish: EngineWish): Promise<ChosenEngine> {
  if (wish.engine === "bwrap" || wish.engine === "landlock") return none(`${wish.engine} is for Linux.`, useAuto);
  if (wish.mode === "strict") return none("A strict sandbox needs bubblewrap, on Linux.", "Use workspace.");
  const found = await trySandboxExec(wish);
  return typeof found === "string" ? none(found, noneHere) : { ...found, because: "it is the one for macOS" };
}

const useAuto = "Use python.sandboxEngine: auto.";
const useBwrap = "Use python.sandboxEngine: bwrap or auto.";
const orWorkspace = "Or use python.sandbox: workspace.";
const allowNamespaces = "It needs user namespaces: let the system allow them.";
const install = "Install bubblewrap, as with: apt install bubblewrap.";
const noneHere =
  "Run Granary in a container or a virtual machine, or put your own program in front with python.launcher.";

const notInstalled = "bubblewrap (bwrap) is not installed.";

function none(reason: string, remedy: string): Exclude<Engine, UsableEngine> {
  return { name: null, reason, remedy };
}

const run = promisify(execFile);
const timeoutMs = 5000;
const answers = new Map<string, Promise<UsableEngine | string>>();

/** The reason if it does not work: it may be missing, or the system may forbid namespaces. */
function tryBwrap(wish: EngineWish): Promise<UsableEngine | string> {
  const program = findProgram("bwrap", wish);
  if (program === null) return Promise.resolve(notInstalled);
  const python = findOutsidePython(wish) ?? undefined;
  return once(`${program} ${python}`, async () => {
    try {
      await run(program, ["--ro-bind", "/", "/", "--unshare-pid", "--unshare-net", "true"], {
        timeout: timeoutMs,
        cwd: "/",
        env: systemEnvironment,
      });
      return { name: "bwrap", program, python };
    } catch (error) {
      const [line = ""] = String((error as { stderr?: unknown }).stderr ?? "").split("\n");
      return `bubblewrap does not work here (${line.trim() || (error as Error).message}).`;
    }
  });
}

function tryLandlock(wish: EngineWish): Promise<UsableEngine | string> {
  const python = findOutsidePython(wish);
  if (python === null)
    return Promise.resolve("Landlock needs a Python outside of folders that cells may write, on PATH.");
  if (wish.landlockUntried) return Promise.resolve({ name: "landlock", python });
  return once(`landlock ${python}`, async () => {
    try {
      const { stdout } = await run(python, [...settingLimits, "--probe"], {
        timeout: timeoutMs,
        cwd: "/",
        env: {},
      });
      const isThere = Number.parseInt(stdout, 10) > 0;
      return isThere ? { name: "landlock", python } : "This kernel has no Landlock.";
    } catch (error) {
      return `Landlock cannot be tried with ${python} (${(error as Error).message.split("\n")[0]}).`;
    }
  });
}

function once(key: string, ask: () => Promise<UsableEngine | string>): Promise<UsableEngine | string> {
  const answer = answers.get(key) ?? ask();
  answers.set(key, answer);
  return answer;
}
