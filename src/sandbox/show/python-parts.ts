import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isWithin } from "../is-within.ts";
import { realIfThere } from "../real-path.ts";

/** A link beside a shown folder that leads to it, as `lib64` of an environment: engines that show only the folder make it. */
export interface ShownLink {
  readonly at: string;
  readonly to: string;
}

interface PythonParts {
  readonly parts: readonly string[];
  readonly links: readonly ShownLink[];
}

/**
 * The parts of an installation or environment of Python, such as one at the root of the repository. A cell or a repository may claim that
 * any folder is one, and may have links in the places of its parts: only parts that are in the folder itself count.
 * @param folder without links
 */
export function pythonParts(folder: string): PythonParts {
  const found = partNames(folder).flatMap((name) => {
    const at = join(folder, name);
    const to = realIfThere(at);
    return to === null || to === folder || !isWithin(folder, to) ? [] : [{ at, to }];
  });
  const parts = found.filter(({ at, to }) => at === to).map(({ at }) => at);
  return { parts, links: found.filter(({ at, to }) => at !== to && parts.includes(to)) };
}

function partNames(folder: string): readonly string[] {
  if (isIn(folder, "pyvenv.cfg") || isIn(folder, "conda-meta")) return [...installed, "share", "ssl", "pyvenv.cfg"];
  // `share` beside a Python that was installed for a user, as in ~/.local, is that of all programs.
  return hasLibrary(folder) ? [...installed, "share/jupyter"] : [];
}

const installed = ["bin", "lib", "lib64", "include"];

function hasLibrary(folder: string): boolean {
  return ["lib", "lib64"].some((name) =>
    namesIn(join(folder, name)).some((version) => isLibrary.test(version) && isIn(folder, `${name}/${version}/os.py`)),
  );
}

const isLibrary = /^(python|pypy)3[.\d]*t?$/;

function isIn(folder: string, name: string): boolean {
  return realIfThere(join(folder, name)) !== null;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
