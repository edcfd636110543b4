import { constants } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { KernelError } from "../../kernel/errors.ts";
import { noLink, openRegular } from "../../support/files/foreign/regular-file.ts";
import { strangerBelow } from "../../support/files/foreign/strangers.ts";
import { mayBePresent, readdir, realpath } from "../../support/files/look.ts";
import { systemReason } from "../../support/files/system-reason.ts";
import { isGranaryError } from "../../support/granary-error.ts";

/** A Python file that every kernel runs at its start, in the user's namespace. */
export interface ModuleFile {
  readonly name: string;
  readonly path: string;
  readonly source: string;
  readonly from: "user" | "project";
}

interface FindModulesOptions {
  /** Granary's own folder, usually `~/.granary`. */
  readonly home: string;
  readonly cwd: string;
  /** Whether modules from the working folder run. */
  readonly projectModules: boolean;
  /** Asked when there are such modules: whether the user trusts the folder. */
  readonly trustsFolder: () => Promise<boolean>;
  /** Asked when they run: the folders that their files must be in, wherever links lead; the working folder by default. */
  readonly within?: (() => Promise<readonly string[]>) | undefined;
}

export interface FoundModules {
  readonly modules: readonly ModuleFile[];
  /** The names of the folder's modules that do not run, because the user does not trust the folder. */
  readonly leftOut: readonly string[];
  /** The files that do not run although the user may trust the folder: all users may write there, and another user put them there. */
  readonly ofStrangers: readonly string[];
}

const modulesFolder = [".granary", "modules"] as const;

/** The extension modules in the order in which they run: by file name, a project's in place of the user's of that name. */
export async function findModules(options: FindModulesOptions): Promise<FoundModules> {
  const { home, cwd, projectModules, trustsFolder, within = async () => [await realpath(cwd)] } = options;
  const users = resolve(home, "modules");
  const projects = resolve(cwd, ...modulesFolder);
  const isTheSame = users === projects; // the working folder is the home folder
  const mayHaveSome = projectModules && !isTheSame && (await mayBePresent(dirname(projects)));
  const { ofProject, ofStrangers } = mayHaveSome ? await modulesOf(cwd, projects) : none;
  const isTrusted = ofProject.length === 0 || (await trustsFolder());
  const running = isTrusted ? ofProject : [];
  const folders = running.length === 0 ? [] : await within();
  const found = [...(await modulesIn(users, "user")), ...running];
  const byName = new Map(found.map((module) => [module.name, module]));
  const inOrder = [...byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  return {
    modules: await Promise.all(
      inOrder.map(async (module) => ({
        ...module,
        source: textOf(
          await (module.from === "project" ? bytesWithin(module.path, folders) : bytesOf(module.path)),
          module,
        ),
      })),
    ),
    leftOut: isTrusted ? [] : ofProject.map(({ name }) => name),
    ofStrangers,
  };
}

const none = { ofProject: [], ofStrangers: [] };

/** In a folder such as `/tmp`, a user who trusts the folder has not trusted all users. */
async function modulesOf(cwd: string, projects: string) {
  const isOfStranger = async (...name: readonly string[]) =>
    (await strangerBelow(cwd, ...modulesFolder, ...name)) !== null;
  if (await isOfStranger()) return { ...none, ofStrangers: [modulesFolder.join("/")] };
  const all = await modulesIn(projects, "project");
  const areOfStrangers = await Promise.all(all.map(({ name }) => isOfStranger(name)));
  const strange = all.filter((_, index) => areOfStrangers[index]);
  return {
    ofProject: all.filter((module) => !strange.includes(module)),
    ofStrangers: strange.map(({ name }) => [...modulesFolder, name].join("/")),
  };
}

async function modulesIn(folder: string, from: ModuleFile["from"]): Promise<readonly Omit<ModuleFile, "source">[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw cannotRead(folder, error);
  });
  return entries
    .filter((entry) => entry.name.endsWith(".py") && !entry.name.startsWith(".") && !entry.isDirectory())
    .map(({ name }) => ({ name, path: join(folder, name), from }));
}

/**
 * A link of a folder that came from elsewhere, or that code in a sandbox could write, may lead to a secret, whose text the code would
 * get. The code may exchange links at any moment, so the folder of the file is opened before it is checked.
 */
async function bytesWithin(path: string, folders: readonly string[]): Promise<Buffer> {
  const { holdFile } = await import("../../support/files/held-file.ts");
  try {
    await using held = await holdFile(path, folders);
    return await bytesOf(held.at, path, noLink);
  } catch (cause) {
    if (!isGranaryError(cause, "outside-roots", "not-allowed")) throw cause;
    const sentence = `The module ${path} leads outside of its folder, or to a hidden file. Copy the file, or move the link out of the way.`;
    throw new KernelError("start-failed", sentence, { details: { file: path }, cause });
  }
}

/** @param shown the path for people */
async function bytesOf(path: string, shown: string = path, flags = 0): Promise<Buffer> {
  try {
    await using file = await openRegular(path, constants.O_RDONLY | flags);
    return await file.readFile();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === "EISDIR" || code === "ENXIO" ? notAFile(shown) : cannotRead(shown, error as NodeJS.ErrnoException);
  }
}

function textOf(bytes: Buffer, { path }: Pick<ModuleFile, "path">): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    const sentence = `The module ${path} is not UTF-8 text. Save it as UTF-8, or move it out of that folder.`;
    throw new KernelError("start-failed", sentence, { details: { file: path }, cause });
  }
}

/** Reading a pipe would wait for a writer. */
function notAFile(path: string): KernelError {
  const sentence = `The module ${path} is not a file but a folder, a pipe, a socket or a device. Move it out of the way.`;
  return new KernelError("start-failed", sentence, { details: { file: path } });
}

function cannotRead(path: string, cause: NodeJS.ErrnoException): KernelError {
  const sentence = `${path} could not be read: ${systemReason(cause)}. Make it readable, or move it out of the way.`;
  return new KernelError("start-failed", sentence, { details: { file: path }, cause });
}
