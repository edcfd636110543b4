import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { loadSettings } from "../../settings/load-settings.ts";
import type { Environment } from "../../support/environment.ts";
import { becomeLastingHost } from "../../support/process/kernel-mark.ts";
import { identityOf } from "../../support/process/process-identity.ts";
import { hubFolder, hubLogIn } from "../start/hub-folder.ts";
import { removeHubRecord, writeHubRecord } from "../start/hub-record.ts";
import { prepareSocketPath } from "../start/socket-path.ts";
import { Hub, type HubRequests } from "./hub.ts";
import { BoundedLog } from "./hub-log.ts";
import { sessionRequests } from "./session-requests.ts";

export interface ServeHubOptions {
  readonly home: string;
  readonly env: Environment;
  readonly version: string;
  /** More requests that clients may make. */
  readonly requests: readonly HubRequests[];
  /** Aborting ends the hub and its sessions. */
  readonly signal: AbortSignal;
}

/** Serves clients until the hub is unused. The caller has made sure that no other hub runs. */
export async function serveHub({ home, env, version, requests, signal }: ServeHubOptions): Promise<void> {
  becomeLastingHost();
  const folder = hubFolder(home);
  const socket = await prepareSocketPath(folder);
  const log = new BoundedLog(hubLogIn(folder));
  const token = randomBytes(32).toString("hex");
  const { values } = await loadSettings({ cwd: folder, env, home });
  const hub = new Hub({
    folder,
    home,
    socket,
    token,
    version,
    settings: values,
    requests: [sessionRequests, ...requests],
    log: (line) => log.write(line),
  });
  await hub.listen();
  const { startedAt } = hub;
  try {
    await writeHubRecord(folder, { ...identityOf(process.pid), socket, token, version, startedAt });
  } catch (error) {
    // No client could find it.
    await hub.close();
    await rm(socket, { force: true });
    throw error;
  }
  hub.isListed = true;
  log.write(`Granary ${version} listens on ${socket}`);
  // One client's failure must not end the sessions of all.
  for (const failure of ["unhandledRejection", "uncaughtException"]) {
    process.on(failure, (error) => log.write(`failed: ${(error as Error)?.stack ?? String(error)}`));
  }
  const stop = (): void => void hub.close();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  await hub.closed;
  await removeHubRecord(folder, token);
  await rm(socket, { force: true });
  log.write("ended");
}
