import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * A new folder beside an environment, to make it in. Those of makers that were stopped halfway are removed.
 * @param {string} environment its path when it is complete
 */
export function folderToMake(environment) {
  const folder = dirname(environment);
  const halfMade = new RegExp(`^${basename(environment)}-by-(\\d+)-\\w+(\\.link)?$`);
  for (const name of readdirSync(folder)) {
    const [, maker] = halfMade.exec(name) ?? [];
    if (maker !== undefined && !isRunning(Number(maker))) rmSync(join(folder, name), { recursive: true, force: true });
  }
  return mkdtempSync(`${environment}-by-${process.pid}-`);
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
