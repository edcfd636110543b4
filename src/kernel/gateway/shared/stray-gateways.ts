import { readdir, readlink, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { procFile } from "../../../support/process/proc-files.ts";
import { identityOf, type ProcessIdentity } from "../../../support/process/process-identity.ts";
import { gatewaysIn } from "./gateway-folder.ts";
import { gatewayConfig } from "./start-gateway.ts";

/**
 * Gateways of this home that no record names: their record was deleted or overwritten. Linux only; elsewhere such a gateway
 * restores its record within a second, or ends with its last connection.
 */
export async function strayGateways(home: string, known: readonly number[]): Promise<readonly ProcessIdentity[]> {
  const folders = await realpath(gatewaysIn(home)).catch(() => null);
  if (folders === null) return [];
  const names = await readdir("/proc").catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const strays = await Promise.all(pids.map(async (pid) => (await isGatewayIn(folders, pid)) && !known.includes(pid)));
  return pids.filter((_, index) => strays[index]).map(identityOf);
}

/** A gateway works in its own folder, which no other program does. Gateways of another home may have folders of the same name. */
async function isGatewayIn(folders: string, pid: number): Promise<boolean> {
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  if (folder === null || dirname(folder) !== folders) return false;
  const command = procFile(`/proc/${pid}/cmdline`, "utf8");
  return command.split("\0").includes(`--config=${gatewayConfig}`);
}
