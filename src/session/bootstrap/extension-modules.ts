import { readdir, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { KernelError } from "../../kernel/errors.ts";
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
  /** Whether code from the folder somebody works in is run. */
  readonly projectModules: boolean;
}

/** The extension modules in the order in which they run: by file name, a project's in place of the user's of that name. */
export async function findModules({ home, cwd, projectModules }: FindModulesOptions): Promise<readonly ModuleFile[]> {
  const users = resolve(home, "modules");
  const projects = resolve(cwd, ".granary/modules");
  const isTheSame = users === projects; // somebody works in their home folder
  const found = [
    ...(await modulesIn(users, "user")),
    ...(projectModules && !isTheSame ? await modulesIn(projects, "project") : []),
  ];
  const byName = new Map(found.map((module) => [module.name, module]));
  const inOrder = [...byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  return Promise.all(inOrder.map(async (module) => ({ ...module, source: await readModule(module.path) })));
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

/** Whoever reads a pipe waits for somebody to write into it. */
async function requireFile(path: string): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw cannotRead(path, error);
  });
  if (found.isFile()) return;
  const sentence = `The module ${path} is no file but a folder, a pipe, a socket or a device. Move it out of the way.`;
  throw new KernelError("start-failed", sentence, { details: { file: path } });
}

function cannotRead(path: string, cause: NodeJS.ErrnoException): KernelError {
  const sentence = `${path} could not be read: ${systemReason(cause)}. Make it readable, or move it out of the way.`;
  return new KernelError("start-failed", sentence, { details: { file: path }, cause });
}
