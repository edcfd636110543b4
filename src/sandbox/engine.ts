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
export type Engine =
  /** `python` comes from elsewhere than the working folder; a list of hosts needs it. */
  | { readonly name: "bwrap"; readonly program: string; readonly python?: string | undefined }
  /** `python` sets the limits, and comes from elsewhere than the working folder. Some systems allow no mounts. */
  | { readonly name: "landlock"; readonly python: string; readonly withoutMounts?: boolean }
  /** For macOS. `python` tries the limits before a program starts, and comes from elsewhere than the working folder. */
  | { readonly name: "sandbox-exec"; readonly program: string; readonly python: string }
  | { readonly name: null; readonly reason: string; readonly remedy: string };

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
export async function chooseEngine(wish: EngineWish, platform = process.platform): Promise<Engine> {
  if (platform === "darwin") return onMac(wish);
  if (platform !== "linux") return none(`There is no sandbox for ${platform} yet.`, noneHere);
  if (wish.engine === "sandbox-exec") return none("sandbox-exec is for macOS.", useAuto);
  const bwrap = wish.engine === "landlock" ? "It was not asked for." : await tryBwrap(wish);
  if (typeof bwrap !== "string") return bwrap;
  if (wish.engine === "bwrap") return none(`bubblewrap cannot be used. ${bwrap}`, install);
  if (wish.mode === "strict") {
    return none(`A strict sandbox needs bubblewrap, which cannot be used. ${bwrap}`, `${install} Or use workspace.`);
  }
  const landlock = await tryLandlock(wish);
  return typeof landlock === "string" ? none(`${bwrap} ${landlock}`, install) : landlock;
}

async function onMac(wish: EngineWish): Promise<Engine> {
  if (wish.engine === "bwrap" || wish.engine === "landlock") return none(`${wish.engine} is for Linux.`, useAuto);
  if (wish.mode === "strict") return none("A strict sandbox needs bubblewrap, on Linux.", "Use workspace.");
  const found = await trySandboxExec(wish);
  return typeof found === "string" ? none(found, noneHere) : found;
}

const useAuto = "Use python.sandboxEngine: auto.";
const install = "Install bubblewrap, as with: apt install bubblewrap.";
const noneHere =
  "Run Granary in a container or a virtual machine, or put your own program in front with python.launcher.";

function none(reason: string, remedy: string): Engine {
  return { name: null, reason, remedy };
}

const run = promisify(execFile);
const timeoutMs = 5000;
const answers = new Map<string, Promise<Engine | string>>();

/** The reason if it does not work: it may be missing, or the system may forbid namespaces. */
function tryBwrap(wish: EngineWish): Promise<Engine | string> {
  const program = findProgram("bwrap", wish);
  if (program === null) return Promise.resolve("bubblewrap (bwrap) is not installed.");
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

function tryLandlock(wish: EngineWish): Promise<Engine | string> {
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

function once(key: string, ask: () => Promise<Engine | string>): Promise<Engine | string> {
  const answer = answers.get(key) ?? ask();
  answers.set(key, answer);
  return answer;
}
