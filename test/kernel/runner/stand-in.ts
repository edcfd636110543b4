import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A shell script to start instead of Python; the host reads frames from descriptor 3. */
export function standIn(folder: string, script: string): string {
  const path = join(folder, "python3");
  writeFileSync(path, `#!/bin/sh\necho $$ > "${folder}/pid"\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}
