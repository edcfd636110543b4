import { accessSync, constants, existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { sayPlaces } from "../../sandbox/git/say-places.ts";
import { isWithin } from "../../sandbox/is-within.ts";
import { protectedPaths } from "../../sandbox/protected/protected-files.ts";
import type { SandboxPlan } from "../../sandbox/sandbox-plan.ts";
import { devices, systemPaths } from "../../sandbox/system-paths.ts";
import { foreignOwner } from "./denied/foreign-folder.ts";
import { type NamedPath, namedPaths } from "./denied/named-paths.ts";

const unreachable =
  /could not resolve|name resolution|name or service not known|EAI_AGAIN|network is unreachable|tunnel failed, response 403|failed to connect|connection refused/i;
const readOnly = /read-only file system/i;
/** A read-only file is a mount, which Linux neither renames nor removes, nor a folder around it. */
const busy = /device or resource busy/i;
const forbidden = /permission denied|operation not permitted/i;
/** `cp FILE FOLDER/`, where a strict sandbox hides the folder. */
const notThere = /no such file or directory|not a directory/i;
/** A file system of its own for each writable place. */
const apart = /invalid cross-device link/i;
/** Of pip and uv, and the addresses of a package index. */
const ofPackages = /\bpip\b|pypi|\/simple\b/i;
/** On the line of an error, as in `Failed to connect to 127.0.0.1 port 8000` and `connect to host localhost port 22: Connection refused`. */
const ofLoopback = /\b(?:localhost|127\.\d+\.\d+\.\d+)\b|::1\b/;

/** Of git, in a folder below the root of its repository. */
const repositoryAbove = /^fatal: not a git repository.*^Stopping at filesystem boundary/ms;
const sayRepositoryAbove =
  "The sandbox (python.sandbox: strict) hides the folders around the working folder: if the root of the repository is one of them, start Granary there.";

type Limits = Pick<
  SandboxPlan,
  "mode" | "cwd" | "home" | "write" | "shared" | "show" | "readOnly" | "network" | "hide" | "tmp" | "cacheFolder"
>;

/** The sentence for a command that failed for a reason the sandbox usually is. */
export function deniedCommand(limits: Limits, exitCode: number | null, output: string): readonly string[] {
  return exitCode === 0 ? [] : deniedOutput(limits, output);
}

/** @param output of a command that failed */
export function deniedOutput(limits: Limits, output: string): readonly string[] {
  if (output.includes("python.sandbox")) return [];
  if (limits.mode === "strict" && repositoryAbove.test(output)) return [sayRepositoryAbove];
  const { network } = limits;
  const lines = output.split("\n");
  const failed = lines.filter((line) => unreachable.test(line));
  if (failed.length > 0 && network !== "on") {
    if (failed.some((line) => ofLoopback.test(line))) return [ownLoopback];
    const reached = network === "off" ? "is off" : `allows only ${network.join(", ")}`;
    const keeps = `The sandbox keeps commands from the network: python.sandboxNetwork ${reached}.`;
    return [ofPackages.test(output) ? `${keeps} Only %pip install reaches the package index.` : keeps];
  }
  for (const line of lines) {
    const sentence = denial(limits, line);
    if (sentence !== null) return [sentence];
  }
  return [];
}

const ownLoopback =
  "A sandbox has a network of its own (python.sandboxNetwork), and so has each command of the tool bash: servers elsewhere are not on its localhost. Reach a server from the command or the cells that started it.";

function denial(limits: Limits, line: string): string | null {
  const isBusy = busy.test(line);
  const isReadOnly = readOnly.test(line);
  const isForbidden = forbidden.test(line);
  const isApart = apart.test(line);
  if (!isBusy && !isReadOnly && !isForbidden && !isApart && !notThere.test(line)) return null;
  const named = namedPaths(line, limits.cwd);
  if (isBusy) return protectedFile(limits, named, isAtOrAround);
  if (isReadOnly) return protectedFile(limits, named, isAt) ?? outside(limits);
  const { mode } = limits;
  const hidden = hiddenPath(limits, named, isForbidden);
  if (hidden !== undefined) return `The sandbox (python.sandbox: ${mode}) hides ${hidden}.`;
  const elsewhere = named.filter((one) => isElsewhere(limits, one));
  if (isApart) return elsewhere.length > 0 ? outside(limits) : separate(limits);
  if (!isForbidden) return null;
  if (elsewhere.length > 0) return elsewhere.some(({ path }) => mayWrite(path)) ? outside(limits) : null;
  // Others in a writable folder have an owner and a mode, which are no matter of the sandbox.
  return permissionDenied.test(line) ? ofOther(limits, named) : null;
}

const permissionDenied = /permission denied/i;

/** Whether the same would work without a sandbox: Granary itself has the rights of the user. */
function mayWrite(path: string): boolean {
  try {
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function separate({ mode }: Limits): string {
  return `The sandbox (python.sandbox: ${mode}) mounts writable places one by one, and Linux neither renames nor links files between mounts. Copy the file, or use a temporary one in the same folder.`;
}

function ofOther({ mode, write }: Limits, named: readonly NamedPath[]): string | null {
  const inside = named.filter(({ path }) => write.some((folder) => isWithin(folder, path)));
  const places = inside.map(({ path }) => (existsSync(path) ? path : dirname(path)));
  const owner = places.map(foreignOwner).find((sentence) => sentence !== null) ?? null;
  return (
    owner &&
    `${owner}: in the sandbox (python.sandbox: ${mode}), root may change only its own files. Run Granary as that user.`
  );
}

function outside(limits: Limits): string {
  const { mode } = limits;
  const places = sayPlaces(limits);
  const reading = mode === "strict" ? "read only there, the system and the interpreter" : "read no secrets";
  return `The sandbox (python.sandbox: ${mode}) lets commands write only in ${places}, and ${reading}; python.sandboxWrite adds folders.`;
}

type IsMeant = (file: string, named: NamedPath) => boolean;

/** Also by names that need not exist: they may have appeared since the plan was made, and every command has a new one. */
function protectedFile({ mode, write, home, ...plan }: Limits, named: readonly NamedPath[], isMeant: IsMeant) {
  const files = [...plan.readOnly, ...protectedNow(write, home)];
  const inside = named.filter(({ path }) => write.some((folder) => folder !== path && isWithin(folder, path)));
  const file = files.find((path) => inside.some((one) => isMeant(path, one)));
  if (file === undefined) return null;
  return `${file} is protected: the sandbox (python.sandbox: ${mode}) keeps commands from changing it, and from moving folders around it.`;
}

/** Without those that cannot be found now: the next start says so. */
function protectedNow(write: readonly string[], home: string): readonly string[] {
  try {
    return protectedPaths({ write, userHome: home });
  } catch {
    return [];
  }
}

const isAt: IsMeant = (file, { path }) => isWithin(file, path);

/** Python's `shutil.rmtree` tells only the last part of the name. */
const isAtOrAround: IsMeant = (file, { word, path }) =>
  isWithin(file, path) || isWithin(path, file) || basename(file) === word;

function isElsewhere({ write, tmp, cacheFolder }: Limits, { word, path }: NamedPath): boolean {
  if (!word.includes("/")) return false;
  return ![...write, ...privateFolders, tmp, cacheFolder].some((folder) => isWithin(folder, path));
}

/** In a strict sandbox, everything that it does not show. Its home folder is a private one. */
function hiddenPath(limits: Limits, named: readonly NamedPath[], isForbidden: boolean): string | undefined {
  const { mode, home, hide, write, show, tmp, cacheFolder } = limits;
  const secrets = hide.filter((path) => !privateFolders.includes(path));
  const isStrict = mode === "strict" && !isForbidden;
  const paths = named
    .filter(({ word }) => word.includes("/"))
    .map(({ path }) => (isStrict && isWithin(privateHome, path) ? home + path.slice(privateHome.length) : path));
  const secret = secrets.find((folder) => paths.some((path) => isWithin(folder, path)));
  if (secret !== undefined || !isStrict) return secret;
  const shown = [...write, ...show, ...systemPaths, ...devices, ...privateFolders, "/proc", tmp, cacheFolder];
  return paths.find((path) => !shown.some((one) => isWithin(one, path) || isWithin(path, one)));
}

const privateFolders = ["/tmp", "/var/tmp"];
const privateHome = "/tmp/home";
