import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

let root: string | undefined;

/** The path of a file that ships with Granary, whether this code runs from sources, build or bundle. */
export function packageFile(path: string): string {
  root ??= packageRoot(dirname(fileURLToPath(import.meta.url)));
  return join(root, path);
}

function packageRoot(folder: string): string {
  return existsSync(join(folder, "python/granary_runner")) ? folder : packageRoot(dirname(folder));
}
