import { setTimeout as sleep } from "node:timers/promises";
import { connectHub } from "../../../hub/client/connect-hub.ts";
import { hubFolder } from "../../../hub/start/hub-folder.ts";
import { type HubRecord, readHubRecord, removeHubRecord, sayOtherVersion } from "../../../hub/start/hub-record.ts";
import type { RequestOptions } from "../../../hub/wire/peer.ts";
import { granaryHome } from "../../../settings/granary-home.ts";
import { ownVersion } from "../../../support/files/own-version.ts";
import { isGranaryError } from "../../../support/granary-error.ts";
import { signalGroup } from "../../../support/process/process-group.ts";
import { isStillRunning } from "../../../support/process/process-identity.ts";
import type { CommandContext } from "../command/command-context.ts";
import { say } from "../command/say.ts";

type Context = Pick<CommandContext, "env" | "stderr">;

/**
 * One request to the hub that runs; null when none runs. A hub of another version answers as well, so that its cells can be watched
 * until they end.
 */
export async function askRunningHub<Answer>(
  context: Context,
  method: string,
  params: object = {},
  options: RequestOptions = {},
): Promise<Answer | null> {
  const { env } = context;
  const home = granaryHome(env);
  const version = await ownVersion();
  const peer = await connectHub({ home, env, version, name: "granary", starts: false, anyVersion: true });
  if (peer === null) return null;
  try {
    if (method !== "stop") await reportOtherVersion(home, context);
    return await peer.request<Answer>(method, params, options);
  } finally {
    // An open connection keeps the process running.
    peer.close();
  }
}

/** Commands that have reported it: `granary wait` asks once for each execution. */
const reported = new WeakSet<Context>();

async function reportOtherVersion(home: string, context: Context, remedy?: ""): Promise<void> {
  const record = readHubRecord(hubFolder(home));
  const version = await ownVersion();
  if (record === null || record.version === version || reported.has(context)) return;
  reported.add(context);
  await say(context.stderr, `granary: ${sayOtherVersion(record, version, remedy)}\n`);
}

/** Settles when the hub has ended; false when none was running. */
export async function stopHub(
  home: string,
  context: Context,
  { force }: { readonly force: boolean },
): Promise<boolean> {
  const record = readHubRecord(hubFolder(home));
  if (record === null || !isStillRunning(record)) return false;
  await reportOtherVersion(home, context, "");
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
