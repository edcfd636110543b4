import { createHash } from "node:crypto";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { makeFolderSync } from "../support/files/make-folder.ts";
import { makeOwnedFolder } from "../support/files/owned-folder.ts";
import { packageFile } from "../support/files/package-file.ts";
import { systemReason } from "../support/files/system-reason.ts";
import { GranaryError, isGranaryError } from "../support/granary-error.ts";
import { isShortage } from "../support/process/exhaustion.ts";
import { bwrapLauncher } from "./bwrap-arguments.ts";
import type { Engine, EngineName } from "./engine.ts";
import { sayPlaces } from "./git/say-places.ts";
import { isWithin } from "./is-within.ts";
import { landlockLauncher } from "./landlock-launcher.ts";
import { endOf } from "./leads-into.ts";
import { makeDecoys, seatbeltLauncher } from "./macos/seatbelt-launcher.ts";
import { preparedOnly, prepareMounts, removePrivateFolder } from "./private-tmp.ts";
import { type NetworkChoice, planSandbox, proxyName, type SandboxPlan, type SandboxWish } from "./sandbox-plan.ts";
import { seccompFilter } from "./seccomp-filter.ts";

/** The limits of a session's programs: Python, its children, and commands. */
export interface Sandbox {
  readonly engine: EngineName;
  readonly plan: SandboxPlan;
  /** The command to put in front of a program. */
  readonly launcher: readonly string[];
  /** Variables of the programs inside. */
  readonly env: Readonly<Record<string, string>>;
  /** A folder that both sides see, as each side names it. */
  readonly shared: { readonly outside: string; readonly inside: string };
  /** Removes the private folders. */
  close(): void;
}

const atOnceMs = 100;

type Wish = Omit<SandboxWish, "privateFolder" | "cacheFolder">;

/** @throws {GranaryError} `sandbox` where there is no engine, or where a sandbox would protect nothing */
export function openSandbox(wish: Wish, engine: Engine): Sandbox {
  if (engine.name === null) {
    throw new GranaryError("sandbox", `There is no sandbox, so nothing was started. ${engine.reason} ${engine.remedy}`);
  }
  const privateFolder = inTemporary(() => realpathSync(makeOwnedFolder("sandbox")));
  const close = (): void => removePrivateFolder(privateFolder);
  try {
    inTemporary(() => {
      for (const name of ["tmp", "tmp/home", "empty"]) mkdirSync(join(privateFolder, name), { mode: 0o700 });
    });
    const show = [...wish.show, ...neededByForwarder(wish.network, engine)];
    const all = { ...wish, show, privateFolder, cacheFolder: cacheFolder(wish) };
    const plan = planSandbox(all);
    // Another plan for every start, because files and sockets come and go; the first start usually comes at once.
    let fresh: SandboxPlan | null = plan;
    setTimeout(() => {
      fresh = null;
    }, atOnceMs).unref();
    const mounted = [...plan.write, ...plan.show, plan.tmp, plan.cacheFolder];
    inTemporary(() => prepareMounts(mounted, plan.links, privateFolder));
    const inside = engine.name === "bwrap" ? "/tmp" : plan.tmp;
    const shared = { outside: plan.tmp, inside };
    const limit = inTemporary(() => limiter(engine, wish.network, privateFolder));
    return {
      engine: engine.name,
      plan,
      get launcher() {
        const now = preparedOnly(fresh ?? planSandbox(all), privateFolder);
        fresh = null;
        return [...limit(now), ...forwarder(wish.network, engine, `${inside}/${proxyName}`)];
      },
      env: { ...variables(plan, engine.name, inside), ...npmCache(plan, wish), ...uselessProxies(wish) },
      shared,
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Makes private files, in the folder for temporary ones. */
function inTemporary<Made>(make: () => Made): Made {
  try {
    return make();
  } catch (cause) {
    if (isShortage(cause) || isGranaryError(cause)) throw cause;
    const problem = `The private files of a sandbox cannot be in ${tmpdir()}: ${systemReason(cause)}.`;
    const { code = "" } = cause as NodeJS.ErrnoException;
    const remedy = isFull.has(code) ? "Make room there, or set" : "Set";
    throw new GranaryError("sandbox", `${problem} ${remedy} TMPDIR to a folder that you can write.`, { cause });
  }
}

const isFull: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

/** The command of an engine in front of a program, for a plan. */
function limiter(
  engine: Exclude<Engine, { readonly name: null }>,
  network: NetworkChoice,
  privateFolder: string,
): (plan: SandboxPlan) => readonly string[] {
  if (engine.name === "sandbox-exec") {
    const decoys = makeDecoys(privateFolder);
    return (plan) => seatbeltLauncher(plan, engine, decoys);
  }
  const inOwnNetwork = filterOfCalls(true);
  if (engine.name === "landlock") {
    const filters = { usual: filterOfCalls(network === "on"), inOwnNetwork };
    return (plan) => landlockLauncher(plan, engine, filters);
  }
  const filterFile = join(privateFolder, "filter");
  writeFileSync(filterFile, inOwnNetwork, { mode: 0o600 });
  return (plan) => bwrapLauncher(plan, engine.program, filterFile);
}

/** The program between a list of hosts and the programs inside, which find the proxy on a port of loopback. */
function forwarder(network: NetworkChoice, { python }: { readonly python?: string | undefined }, socket: string) {
  if (typeof network === "string") return [];
  if (python === undefined) {
    const why = "A list of hosts in python.sandboxNetwork needs a Python outside of the working folder, on PATH.";
    throw new GranaryError("sandbox", `${why} Install python3.`);
  }
  return [python, "-I", "-S", packageFile("python/granary_forward.py"), socket, "hosts"];
}

/** A strict sandbox shows only what it needs. */
function neededByForwarder(network: NetworkChoice, { python }: { readonly python?: string | undefined }) {
  return typeof network === "string" || python === undefined ? [] : [dirname(dirname(realpathSync(python)))];
}

/** The numbers of system calls are known for some architectures only. */
function filterOfCalls(internetSockets: boolean): Buffer {
  const filter = seccompFilter(internetSockets);
  if (filter !== null) return filter;
  throw new GranaryError("sandbox", `There is no sandbox for ${process.arch}, so nothing was started.`);
}

/** Kept between sessions of a folder, because matplotlib takes seconds to make its cache. Only sandboxes use it. */
function cacheFolder({ granaryHome, cwd, mode }: Wish): string {
  const name = createHash("sha256").update(`${mode} ${cwd}`).digest("hex").slice(0, 16);
  const folder = join(granaryHome, "sandbox", name);
  try {
    makeFolderSync(folder, 0o700);
    return realpathSync(folder);
  } catch (cause) {
    if (isShortage(cause)) throw cause;
    throw new GranaryError("sandbox", `${sayNoCaches(granaryHome, systemReason(cause))} ${useOtherHome}`, { cause });
  }
}

/** For the start, and for `granary doctor`, which tries nothing. */
export function sayNoCaches(granaryHome: string, reason: string): string {
  return `The caches of a sandbox cannot be made in Granary's folder ${granaryHome}: ${reason}.`;
}

export const useOtherHome = "Make it writable, or name another folder with the variable GRANARY_HOME.";

/** Variables of every program, and of some, such as `PIP_PROXY`, `npm_config_https_proxy` and `CARGO_HTTP_PROXY`. */
const proxyVariable = /^(?:(?:\w+_)?(?:https?|ftp|all)|pip|npm_config)_proxy$/i;

/** Of the network outside, which is not there: their addresses may have passwords. */
function uselessProxies({ network, env = {} }: Wish): Record<string, string> {
  const names = network === "on" ? [] : Object.keys(env).filter((name) => proxyVariable.test(name));
  return Object.fromEntries(names.map((name) => [name, ""]));
}

/** npm ignores XDG_CACHE_HOME, and reads its variables in any case. */
function npmCache({ write, cacheFolder }: SandboxPlan, { env = {} }: Wish): Record<string, string> {
  const own = Object.entries(env).filter(([name, value]) => /^npm_config_cache$/i.test(name) && value);
  const kept = own.find(([, folder = ""]) => write.some((place) => isWithin(place, endOf(folder))));
  const folder = kept?.[1] ?? join(cacheFolder, "npm");
  return Object.fromEntries(["npm_config_cache", ...own.map(([name]) => name)].map((name) => [name, folder]));
}

function variables(plan: SandboxPlan, engine: EngineName, tmp: string): Record<string, string> {
  const { mode, network, cacheFolder: cache } = plan;
  const said = {
    mode,
    engine,
    network: typeof network === "string" ? network : "hosts",
    places: sayPlaces(plan),
    write: [...plan.write, tmp, cache],
  };
  return {
    TMPDIR: tmp,
    XDG_CACHE_HOME: cache,
    MPLCONFIGDIR: join(cache, "matplotlib"),
    // No PYTHONPYCACHEPREFIX: Python would compile every installed package again, instead of using the files beside them.
    GRANARY_PYCACHE: join(cache, "pycache"),
    PYTHONUSERBASE: join(cache, "user"),
    ...(mode === "strict" ? { HOME: `${tmp}/home` } : {}),
    // For the sentence beside an error: see granary_runner/hints/denied.py.
    GRANARY_SANDBOX: JSON.stringify(said),
    // For %pip: see granary_runner/magics/reloading/packages.py.
    GRANARY_OVERLAY: join(cache, "packages"),
    ...(network === "on" ? {} : { GRANARY_PROXY: `${tmp}/${proxyName}` }),
  };
}
