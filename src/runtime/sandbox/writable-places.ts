import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { isWithin } from "../../sandbox/is-within.ts";
import { realFolder } from "../../session/real-folder.ts";
import { expandHome } from "../../settings/granary-home.ts";
import type { LoadedSettings } from "../../settings/load-settings.ts";
import type { Environment } from "../../support/environment.ts";
import { knownPlaces } from "./known-places.ts";

export interface WritableContext {
  readonly cwd: string;
  /** The folder of the runtime. Code that may write there could turn a folder in it into a link. */
  readonly base?: string | undefined;
  /** Whether that runtime has a sandbox itself, so that code in it may have chosen `cwd`. */
  readonly isConfined?: boolean | undefined;
  /** Whether `cwd` may be a folder that this sandbox is not for. */
  readonly mayLeave?: boolean | undefined;
  readonly env: Environment;
  /** Granary's own folder. */
  readonly home: string;
  readonly settings: Pick<LoadedSettings, "values">;
}

/**
 * Every folder, without links, in which code in a sandbox may have written: Granary starts no program from there outside. The folder
 * of a call does not make this list shorter, because the code in the sandbox chose it.
 */
export function writablePlaces(context: WritableContext): readonly string[] {
  const own = [...projectPlaces(context), ...moreWritable(context).map(realFolder)];
  return [...new Set([...own, ...knownPlaces(context.home)])];
}

/** The folders of the runtime and of the call, and the repositories around them, without links. */
export function projectPlaces({ cwd, base = cwd, env }: Pick<WritableContext, "cwd" | "base" | "env">) {
  const userHome = realFolder(env.HOME || homedir());
  const folders = [base, cwd].map(realFolder);
  return [...folders, ...folders.map(repositoryOf).filter((root) => !isWithin(root, userHome))];
}

/** The folders of `python.sandboxWrite`, in full. */
export function moreWritable({ cwd, base = cwd, env, settings }: WritableContext): readonly string[] {
  return settings.values.python.sandboxWrite.map((folder) => resolve(base, expandHome(folder, env)));
}

/** The root of the repository; the folder itself where there is none. */
function repositoryOf(folder: string): string {
  for (let root = folder; dirname(root) !== root; root = dirname(root)) {
    if (existsSync(join(root, ".git"))) return root;
  }
  return folder;
}
