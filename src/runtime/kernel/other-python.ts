import { join } from "node:path";
import { sayLeftOutOfPath } from "../../python/find/search-paths.ts";
import type { Interpreter } from "../../python/interpreter.ts";
import { readSmallFile } from "../../support/files/look.ts";

/** `python` or `python3.12` as a word of a script, without a folder before it. */
const bareName = /(?<![\w./-])(python|pypy)[\d.]*(?![\w./=-])/;

/**
 * For a wrapper that calls `python` by its name, as the user's own script for any activated environment does: it has started another
 * Python than in the user's shell. Null for every other wrapper.
 */
export async function sayOtherPython(
  { executable, virtualEnvironment }: Interpreter,
  leftOut: readonly string[],
): Promise<string | null> {
  const isSame = virtualEnvironment !== null && leftOut.includes(join(virtualEnvironment, "bin"));
  if (leftOut.length === 0 || isSame) return null;
  const text = await readSmallFile(executable).catch(() => "");
  if (!text.startsWith("#!")) return null;
  const [, ...lines] = text.split("\n");
  const isNamed = lines.some((line) => !/^\s*#/.test(line) && bareName.test(line));
  return isNamed ? `${executable} calls Python by its name. ${sayLeftOutOfPath(leftOut)}.` : null;
}
