import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Environment } from "../../../support/environment.ts";
import { packageFile } from "../../../support/files/package-file.ts";
import type { ServerCommand } from "./clients/clients.ts";

/** How clients start this Granary. */
export function serverCommand(env: Environment): ServerCommand {
  const program = packageFile("bin/granary");
  const absolute = [process.execPath, program, "mcp"];
  return { usual: isOnPath(program, env) ? ["granary", "mcp"] : absolute, absolute, home: env.HOME ?? "/" };
}

/** Whether `granary` in a shell is this program, and not another installation of it. */
function isOnPath(program: string, env: Environment): boolean {
  for (const folder of (env.PATH ?? "").split(delimiter)) {
    try {
      accessSync(join(folder, "granary"), constants.X_OK);
      return realpathSync(join(folder, "granary")) === realpathSync(program);
    } catch {}
  }
  return false;
}
