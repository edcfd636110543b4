import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** The packages that an interpreter finds, as they were when this was made. */
export class Installation {
  readonly #interpreter: string;
  readonly #files: string;
  readonly #folders: Folder[];

  constructor(interpreter: string, path: readonly string[]) {
    this.#interpreter = interpreter;
    this.#files = this.#stateOfFiles();
    this.#folders = path.map((path) => ({ path, modified: modifiedWithPaths(path), contents: contents(path) }));
  }

  /** Whether something was installed, upgraded or removed since then. */
  hasChanged(): boolean {
    return this.#files !== this.#stateOfFiles() || this.#folders.some((folder) => hasChanged(folder));
  }

  #stateOfFiles(): string {
    const files = [this.#interpreter, join(dirname(dirname(this.#interpreter)), "pyvenv.cfg")];
    return files.map(modified).join(" ");
  }
}

interface Folder {
  readonly path: string;
  readonly contents: string;
  modified: string;
}

function hasChanged(folder: Folder): boolean {
  const now = modifiedWithPaths(folder.path);
  if (now === folder.modified) return false;
  if (contents(folder.path) !== folder.contents) return true;
  folder.modified = now; // Python has made its cache there
  return false;
}

/** The entries of a folder without Python's cache; of a folder with packages, also the times of packages and `.pth` files. */
function contents(folder: string): string {
  const isDated = isInstalledInto(folder);
  const dated = (name: string): boolean => isDated && /\.(dist-info|egg-info|egg-link|pth)$/.test(name);
  return namesIn(folder)
    .filter((name) => name !== "__pycache__")
    .sort()
    .map((name) => (dated(name) ? `${name} ${modified(join(folder, name))}` : name))
    .join("\n");
}

/** Of a folder, and of the `.pth` files in it, which may be edited in place. */
function modifiedWithPaths(folder: string): string {
  const files = isInstalledInto(folder) ? namesIn(folder).filter((name) => name.endsWith(".pth")) : [];
  return [folder, ...files.map((name) => join(folder, name))].map(modified).join(" ");
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isInstalledInto(folder: string): boolean {
  return /(site|dist)-packages\/?$/.test(folder);
}

function modified(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "-" : `${found.ino}:${found.mtimeMs}`;
}

/** Whether a folder has a module of one of these names: code that runs there means that one. */
export function hasModule(folder: string, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  return namesIn(folder).some((file) => {
    const [name = "", ...extensions] = file.split(".");
    if (!names.has(name)) return false;
    // A folder without this file comes after all packages of that name.
    if (extensions.length === 0) return existsSync(join(folder, file, "__init__.py"));
    return ["py", "pyc", "so"].includes(extensions.at(-1) ?? "");
  });
}
