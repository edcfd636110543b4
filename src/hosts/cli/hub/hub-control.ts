import { setTimeout as sleep } from "node:timers/promises";
import { connectHub } from "../../../hub/client/connect-hub.ts";
import { hubFolder } from "../../../hub/start/hub-folder.ts";
import { type HubRecord, readHubRecord, removeHubRecord } from "../../../hub/start/hub-record.ts";
import type { Peer, RequestOptions } from "../../../hub/wire/peer.ts";
import { granaryHome } from "../../../settings/granary-home.ts";
import { ownVersion } from "../../../support/files/own-version.ts";
import { isGranaryError } from "../../../support/granary-error.ts";
import { signalGroup } from "../../../support/process/process-group.ts";
import { isStillRunning } from "../../../support/process/process-identity.ts";
import type { CommandContext } from "../command/command-context.ts";

/** A connection to the hub that runs, of any version; null when none runs. */
async function connectToRunning({ env }: Pick<CommandContext, "env">, name: string): Promise<Peer | null> {
  return connectHub({
    home: granaryHome(env),
    env,
    version: await ownVersion(),
    name,
    starts: false,
    anyVersion: true,
  });
}

/** One request to the hub that runs; null when none runs. */
export async function askRunningHub<Answer>(
  context: Pick<CommandContext, "env">,
  method: string,
  params: object = {},
  options: RequestOptions = {},
): Promise<Answer | null> {
  const peer = await connectToRunning(context, "granary");
  if (peer === null) return null;
  try {
    return await peer.request<Answer>(method, params, options);
  } finally {
    // An open connection keeps the process running.
    peer.close();
  }
}

/** Settles when the hub has ended; false when none was running. */
export async function stopHub(
  home: string,
  context: Pick<CommandContext, "env">,
  { force }: { readonly force: boolean },
): Promise<boolean> {
  const record = readHubRecord(hubFolder(home));
  if (record === null || !isStillRunning(record)) return false;
  let insistMs = force ? graceMs : Number.POSITIVE_INFINITY;
  try {
    await askRunningHub(context, "stop", { force });
  } catch (error) {
    // A hub that hangs cannot answer.
    if (!force || !isGranaryError(error, "hub-failed", "hub-start", "hub-gone")) throw error;
    if (isGranaryError(error, "hub-failed")) insistMs = 0;
  }
  await untilEnded(record, insistMs);
  await removeHubRecord(hubFolder(home), record.token);
  return true;
}

const graceMs = 10_000;

async function untilEnded(record: HubRecord, insistMs: number): Promise<void> {
  const insistAt = Date.now() + insistMs;
  for (; isStillRunning(record); await sleep(20)) {
    if (Date.now() > insistAt) signalGroup(record.pid, "SIGKILL");
  }
}
