import { join, resolve } from "node:path";
import { KernelError } from "../../kernel/errors.ts";
import { readdir, readFile, realpath, stat } from "../../support/files/look.ts";
import { systemReason } from "../../support/files/system-reason.ts";

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
}

export interface FoundModules {
  readonly modules: readonly ModuleFile[];
  /** The names of the folder's modules that do not run, because the user does not trust the folder. */
  readonly leftOut: readonly string[];
}

/** The extension modules in the order in which they run: by file name, a project's in place of the user's of that name. */
export async function findModules(options: FindModulesOptions): Promise<FoundModules> {
  const { home, cwd, projectModules, trustsFolder } = options;
  const users = resolve(home, "modules");
  const projects = resolve(cwd, ".granary/modules");
  const isTheSame = users === projects; // the working folder is the home folder
  const ofProject = projectModules && !isTheSame ? await modulesIn(projects, "project") : [];
  const isTrusted = ofProject.length === 0 || (await trustsFolder());
  const found = [...(await modulesIn(users, "user")), ...(isTrusted ? ofProject : [])];
  const byName = new Map(found.map((module) => [module.name, module]));
  const inOrder = [...byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  return {
    modules: await Promise.all(
      inOrder.map(async (module) => {
        if (module.from === "project") await requireNoWayOut(module.path, cwd);
        return { ...module, source: await readModule(module.path) };
      }),
    ),
    leftOut: isTrusted ? [] : ofProject.map(({ name }) => name),
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

/** A link of a folder that came from elsewhere, or that code in a sandbox could write, may lead to a secret, whose text the code would get. */
async function requireNoWayOut(path: string, cwd: string): Promise<void> {
  const [real, folder] = await Promise.all([path, cwd].map((each) => realpath(each).catch(() => each)));
  if (real?.startsWith(folder === "/" ? folder : `${folder}/`)) return;
  const sentence = `The module ${path} leads to ${real}, outside of its folder. Copy the file, or move the link out of the way.`;
  throw new KernelError("start-failed", sentence, { details: { file: path } });
}

async function readModule(path: string): Promise<string> {
  await requireFile(path);
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw cannotRead(path, error);
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    const sentence = `The module ${path} is not UTF-8 text. Save it as UTF-8, or move it out of that folder.`;
    throw new KernelError("start-failed", sentence, { details: { file: path }, cause });
  }
}

/** Reading a pipe would wait for a writer. */
async function requireFile(path: string): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw cannotRead(path, error);
  });
  if (found.isFile()) return;
  const sentence = `The module ${path} is not a file but a folder, a pipe, a socket or a device. Move it out of the way.`;
  throw new KernelError("start-failed", sentence, { details: { file: path } });
}

function cannotRead(path: string, cause: NodeJS.ErrnoException): KernelError {
  const sentence = `${path} could not be read: ${systemReason(cause)}. Make it readable, or move it out of the way.`;
  return new KernelError("start-failed", sentence, { details: { file: path }, cause });
}
