import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { withoutPlaces } from "../../python/find/search-paths.ts";
import { isWithin } from "../../sandbox/is-within.ts";
import { endOf, leadsInto } from "../../sandbox/leads-into.ts";
import { realFolder } from "../../session/real-folder.ts";
import { type Environment, homeOfAccount } from "../../support/environment.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { systemEnvironment } from "../../support/process/system-program.ts";
import { insideOnly, withoutLibraries } from "./inside-only.ts";
import { isUsersOwn, projectPlaces, type WritableContext, writablePlaces } from "./writable-places.ts";

interface Context extends WritableContext {
  readonly extraEnv?: Environment | undefined;
}

/**
 * The programs that the user put in front of Python: `python.launcher`, and a wrapper that `python.interpreter` names. They may be
 * the user's own sandbox, so that neither files of the folder nor those that code in a sandbox wrote may take their place.
 */
export class ProgramsInFront {
  readonly #places: readonly string[];
  readonly #isSandboxed: boolean;
  readonly #userPath: string;
  readonly #project: readonly string[];

  constructor(context: Context) {
    const { env, extraEnv, settings } = context;
    const userHome = realFolder(env.HOME || homeOfAccount());
    this.#isSandboxed = settings.values.python.sandbox !== "off";
    this.#userPath = extraEnv?.PATH ?? env.PATH ?? "";
    const places = writablePlaces(context);
    // The home folder did not come from elsewhere, and has programs of its user. No sandbox opens it.
    this.#places = this.#isSandboxed ? places : places.filter((place) => !isUsersOwn(place, userHome));
    this.#project = projectPlaces(context);
  }

  /** PATH as the user has it, for these programs: not as a kernel, which has the programs of its environment first. */
  get path(): string {
    const entries = this.#userPath.split(delimiter).filter(this.#isElsewhere);
    return entries.length === 0 ? (systemEnvironment.PATH as string) : entries.join(delimiter);
  }

  /** The entries of the user's PATH that these programs do not have. */
  get leftOut(): readonly string[] {
    return this.#userPath.split(delimiter).filter((entry) => isAbsolute(entry) && !this.#isElsewhere(entry));
  }

  /**
   * PATH for a wrapper alone. One of the project itself could start any program there, so that it has those of the project
   * first, as the kernel does: `python3` is that of the activated `.venv`.
   * @param path of the kernel; as the user has it by default
   */
  pathOf(wrapper: string, path: string = this.#userPath): string {
    const around = this.#placesAround(wrapper);
    if (around.length === 0) return this.path;
    const others = this.#places.filter((place) => !around.some((folder) => isWithin(folder, place)));
    const isKept = (entry: string) => isAbsolute(entry) && !leadsInto(others, entry);
    return path.split(delimiter).filter(isKept).join(delimiter) || this.path;
  }

  /** Whether the wrapper is one of the project. */
  isOfProject(wrapper: string): boolean {
    return this.#placesAround(wrapper).length > 0;
  }

  #placesAround(wrapper: string): readonly string[] {
    return this.#project.filter((place) => [wrapper, endOf(wrapper)].some((path) => isWithin(place, path)));
  }

  /** The command, with its program in full. */
  launcher([name = "", ...words]: readonly string[]): readonly string[] {
    if (!name.includes("/")) return [this.#onPath(name), ...words];
    if (!isAbsolute(name)) {
      throw refused(`begins with ${name}, which is relative: the working folder would choose the program`);
    }
    if (this.#isSandboxed && !this.#isElsewhere(name)) {
      throw refused(`begins with ${name}, which code in a sandbox could write`);
    }
    return [name, ...words];
  }

  /** Variables that lead into the folder, for programs behind the launcher only. */
  readonly insideOnly: typeof insideOnly = (launcher, env) =>
    insideOnly(launcher, env, withoutPlaces(this.#isSandboxed ? withoutLibraries(env) : env, this.#isElsewhere));

  #onPath(name: string): string {
    const paths = this.path.split(delimiter).map((folder) => join(folder, name));
    const found = paths.find((path) => isProgram(path) && this.#isElsewhere(path));
    if (found !== undefined) return found;
    throw refused(`begins with ${name}, which is in no folder of PATH outside of the working folder`);
  }

  readonly #isElsewhere = (path: string): boolean => isAbsolute(path) && !leadsInto(this.#places, path);
}

function refused(why: string): GranaryError {
  const remedy = "Begin python.launcher with the full path of a program elsewhere, such as /usr/bin/nice.";
  return new GranaryError("sandbox", `python.launcher ${why}, so nothing was started. ${remedy}`);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
