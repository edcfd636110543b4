import { isAbsolute, relative } from "node:path";

/** Not absolute, or with an empty part, `.`, `..` or a slash at the end. */
const untidy = /^(?!\/)|\/\.{0,2}(?:\/|$)/;

/** Whether a path is a folder or something in it. A plan asks hundreds of times, nearly always about paths as the system writes them. */
export function isWithin(folder: string, path: string): boolean {
  if (!untidy.test(folder) && !untidy.test(path)) return path === folder || path.startsWith(`${folder}/`);
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith("../") && !isAbsolute(way);
}
