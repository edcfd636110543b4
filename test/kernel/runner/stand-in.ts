import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A shell script to be started in the place of Python; descriptor 3 is where the host listens for frames. */
export function standIn(folder: string, script: string): string {
  const path = join(folder, "python3");
  writeFileSync(path, `#!/bin/sh\necho $$ > "${folder}/pid"\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}
