import { realpathSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { managedFolder } from "../../python/find/candidates.ts";
import type { Interpreter } from "../../python/interpreter.ts";
import { isWithin } from "../../sandbox/is-within.ts";
import { keptFolder } from "../../sandbox/kept-folder.ts";
import { leadsInto, linkWithin } from "../../sandbox/leads-into.ts";
import type { SandboxNetwork } from "../../sandbox/network/listen.ts";
import { requireUseful } from "../../sandbox/refuse/require-useful.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import { type SandboxPlan, writableFolders } from "../../sandbox/sandbox-plan.ts";
import { realFolder } from "../../session/real-folder.ts";
import type { LoadedSettings } from "../../settings/load-settings.ts";
import { type Environment, homeOfAccount } from "../../support/environment.ts";
import { knownSandboxes, rememberPlaces } from "../../support/files/foreign/known-places.ts";
import { packageFile } from "../../support/files/package-file.ts";
import { GranaryError } from "../../support/granary-error.ts";
import type { KernelSite } from "../backend/load-backend.ts";
import { requireOwnWay } from "./own-way.ts";
import { outOfReach } from "./session-limits.ts";
import { moreWritable, type WritableContext, writablePlaces } from "./writable-places.ts";

export type SandboxContext = WritableContext;

/** The sandboxes of a runtime, one for each folder: the kernels and commands of a folder share their private files. */
export class SessionSandboxes {
  readonly #opened = new Map<string, Promise<Opened>>();

  /** Null where `python.sandbox` is off. Rejects with `sandbox` where there is none: nothing may start then. */
  async for(context: SandboxContext, interpreter: Partial<Interpreter>): Promise<Sandbox | null> {
    const { sandbox: mode, sandboxNetwork, sandboxWrite, sandboxEngine } = context.settings.values.python;
    if (mode === "off") return null;
    const key = JSON.stringify([
      context.cwd,
      mode,
      sandboxNetwork,
      sandboxWrite,
      sandboxEngine,
      interpreter.executable,
    ]);
    const opened = this.#opened.get(key) ?? open(context, mode, interpreter);
    this.#opened.set(key, opened);
    return (await opened).sandbox;
  }

  async close(): Promise<void> {
    const all = await Promise.allSettled(this.#opened.values());
    for (const opened of all) {
      if (opened.status === "rejected") continue;
      opened.value.network?.close();
      opened.value.sandbox.close();
    }
  }
}

interface Opened {
  readonly sandbox: Sandbox;
  /** Null where programs share the network of this machine. */
  readonly network: SandboxNetwork | null;
}

async function open(
  context: SandboxContext,
  mode: "workspace" | "strict",
  interpreter: Partial<Interpreter>,
): Promise<Opened> {
  const { cwd, base = cwd, isConfined = false, mayLeave = false, env, home, settings } = context;
  const [{ chooseEngine }, { openSandbox }] = await Promise.all([
    import("../../sandbox/engine.ts"),
    import("../../sandbox/sandbox.ts"),
  ]);
  const { sandboxEngine, sandboxNetwork } = settings.values.python;
  const write = moreWritable(context);
  const places = writablePlaces(context);
  const userHome = env.HOME || homeOfAccount();
  const isOurs = [base, ...write].some((folder) => isBelow(folder, cwd));
  if (isConfined && !isOurs && !mayLeave) throw outOfReach(cwd, [base, ...write]);
  // A caller in a sandbox may have turned the folder into a link, so the sandbox is that of the caller.
  const folders = isConfined && isOurs ? { cwd: base, start: cwd } : { cwd };
  // Before the search for an engine, which would not take one from a folder such as /.
  requireUseful(writableFolders(folders.cwd, write), realFolder(userHome));
  requireLastingHome(home, places);
  const known = knownSandboxes(home);
  // The system knows a folder without links, and a shell the name by which the user entered it.
  const below = relative(realFolder(env.PWD || folders.cwd), realFolder(folders.cwd));
  const isEntered = below !== ".." && !below.startsWith("../");
  const typed = env.PWD && isEntered ? resolve(env.PWD, below) : folders.cwd;
  for (const folder of [folders.cwd, typed]) requireOwnWay("The working folder", folder, known);
  // As for the plan: a folder in another one is writable with that, and not by itself.
  const around = [folders.cwd, keptFolder(folders.cwd), ...write];
  const alone = write.filter((folder) => around.every((one) => one === folder || !isWithin(one, folder)));
  for (const folder of alone) requireOwnWay("python.sandboxWrite:", folder, known);
  const engine = await chooseEngine({ mode, engine: sandboxEngine, cwd, write: places, env, landlockUntried: true });
  const { chosen, claimed } = neededBy(interpreter, places);
  const shown = { show: [ownFiles, ...chosen], claimed, ownFolders: [ownFiles, managedFolder(home)] };
  const reach = { ...folders, write, known: places };
  const { trustedPaths } = await import("../../settings/trust/trusted-folders.ts");
  const trusted = trustedPaths(home);
  const wish = { ...reach, trusted, mode, network: sandboxNetwork, ...shown, userHome, granaryHome: home, env };
  const sandbox = openSandbox(wish, engine);
  rememberPlaces(home, sandbox.plan.write);
  try {
    return { sandbox, network: await openNetwork(sandbox.plan, env, userHome, places) };
  } catch (error) {
    sandbox.close();
    throw error;
  }
}

/** The settings in Granary's folder name programs that start outside: code that replaced a link on the way to it would write them. */
function requireLastingHome(home: string, places: readonly string[]): void {
  const link = linkWithin(places, home);
  if (link === null) return;
  const problem = `GRANARY_HOME (${home}) passes the link ${link}, which code in a sandbox could replace, so nothing was started.`;
  throw new GranaryError(
    "sandbox",
    `${problem} Set GRANARY_HOME to the folder that the link leads to, or leave it out.`,
  );
}

/** Also without any host, for the package index. */
async function openNetwork(plan: SandboxPlan, env: Environment, userHome: string, places: readonly string[]) {
  const { network, proxy, write } = plan;
  if (network === "on") return null;
  const [{ HostGate }, { listenForSandbox }, { indexHosts }] = await Promise.all([
    import("../../sandbox/network/host-gate.ts"),
    import("../../sandbox/network/listen.ts"),
    import("../../sandbox/network/index-hosts.ts"),
  ]);
  const hosts = network === "off" ? [] : network;
  const index = indexHosts(env, userHome, [...places, ...write]);
  return listenForSandbox(proxy, new HostGate({ hosts, index }));
}

/**
 * The program, which may be behind links, and the folders that Python reads before it runs a cell: those that the user has chosen, by settings, variables and files that no cell may
 * write, and those that a cell may have chosen.
 */
function neededBy(interpreter: Partial<Interpreter>, places: readonly string[]) {
  const { executable, virtualEnvironment, condaEnvironment, facts, reportedBy } = interpreter;
  const reported = [virtualEnvironment, condaEnvironment, facts?.prefix, facts?.basePrefix];
  const environments = reported.filter((path) => typeof path === "string");
  const program = executable === undefined ? [] : [executable, dirname(dirname(executable)), ...realPrefix(executable)];
  const needed = [...new Set([...environments, ...program])].filter((path) => path !== "/");
  if (isOfFolder(interpreter, places)) return { chosen: [], claimed: needed };
  if (reportedBy === undefined) return { chosen: needed, claimed: [] };
  // The user names a wrapper, and a version manager's shim names the Python.
  const isWrapper = reportedBy === executable;
  return { chosen: isWrapper ? program : [], claimed: isWrapper ? environments : needed };
}

const ownFiles = packageFile("python/").replace(/\/$/, "");

/** Then cells can change it, and the files around it that say where the rest is. */
function isOfFolder({ source, executable = "/" }: Partial<Interpreter>, places: readonly string[]): boolean {
  return source === ".venv" || source === "venv" || leadsInto(places, executable);
}

function isBelow(folder: string, path: string): boolean {
  return isWithin(folder, path) || isWithin(realFolder(folder), path);
}

/** Of the installation behind the links of an environment. */
function realPrefix(executable: string): readonly string[] {
  try {
    return [dirname(dirname(realpathSync(executable)))];
  } catch {
    return [];
  }
}

/** Only the runner's process is ours to limit from its first instruction. */
export function refuseUnlimited({ python }: LoadedSettings["values"], backend: string, site: KernelSite): void {
  const isOurs = backend === "runner" && site === "here";
  const [setting] = [
    python.sandbox === "off" ? [] : ["python.sandbox"],
    python.launcher.length === 0 ? [] : ["python.launcher"],
  ].flat();
  if (isOurs || setting === undefined) return;
  const where = { here: `the backend ${backend}`, elsewhere: "an external gateway", attached: "a running kernel" }[
    site
  ];
  throw new GranaryError(
    "sandbox",
    `${setting} works on the embedded runner only, and this kernel is on ${where}, so nothing was started. ` +
      "Use python.backend: runner, or turn the setting off.",
  );
}
