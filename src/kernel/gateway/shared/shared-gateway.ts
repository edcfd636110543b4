import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { deadlineAfter } from "../../../support/deadline.ts";
import { whileHolding } from "../../../support/files/file-lock.ts";
import { signalGroup } from "../../../support/process/process-group.ts";
import { isStillRunning, type ProcessIdentity } from "../../../support/process/process-identity.ts";
import { isStopped } from "../../../support/process/process-state.ts";
import { ask } from "../rest/rest.ts";
import { folderFor, gatewaysIn, prepareFolder } from "./gateway-folder.ts";
import { type GatewayRecord, readRecord, removeRecord, writeRecord } from "./gateway-record.ts";
import { isHealthy } from "./health.ts";
import { type GatewayStart, logIn, startGateway } from "./start-gateway.ts";
import { strayGateways } from "./stray-gateways.ts";

export interface AcquireOptions extends Omit<GatewayStart, "folder"> {
  /** Granary's own folder. */
  readonly home: string;
}

/**
 * The gateway for an interpreter and its environment: the running one, or a new one. Processes that ask at the same
 * time get the same one. It needs no release: it ends after a while without kernels.
 */
export async function acquireSharedGateway({ home, ...start }: AcquireOptions): Promise<GatewayRecord> {
  const folder = folderFor(home, start.interpreter, start.env);
  await prepareFolder(folder);
  return whileHolding(lockIn(folder), start, async () => {
    const found = await readRecord(folder);
    if (found !== null && isStillRunning(found) && (await canAnswer(found))) return found;
    if (found !== null) {
      await end(found);
      await removeRecord(folder);
    }
    const record = await startGateway({ ...start, folder });
    await writeRecord(folder, record);
    return record;
  });
}

/** A stopped gateway (SIGSTOP) is not worth the wait for its answer. */
async function canAnswer(record: GatewayRecord): Promise<boolean> {
  return !(await isStopped(record.pid)) && isHealthy(record);
}

export interface SharedGatewayStatus {
  readonly folder: string;
  readonly pid: number;
  readonly url: string;
  readonly interpreter: string;
  readonly startedAt: string;
  readonly log: string;
  readonly healthy: boolean;
  /** The number of kernels; null when the gateway does not say. */
  readonly kernels: number | null;
}

/** The running gateways under Granary's folder. The report contains no token. */
export async function sharedGateways(home: string): Promise<readonly SharedGatewayStatus[]> {
  const records = await runningRecords(home);
  const statuses = records.map(async ({ folder, record }) => {
    const { pid, url, interpreter, startedAt } = record;
    const kernels = await kernelsOf(record);
    const state = { healthy: kernels !== null && (await isHealthy(record)), kernels: kernels?.length ?? null };
    return { folder, pid, url, interpreter, startedAt, log: logIn(folder), ...state };
  });
  return Promise.all(statuses);
}

/** Ends all of them with their kernels, and returns their number; also those whose record is lost. */
export async function stopSharedGateways(home: string, signal?: AbortSignal): Promise<number> {
  const known = (await runningRecords(home)).map(({ record }) => record.pid);
  const strays = await strayGateways(home, known);
  await Promise.all(strays.map(end));
  return strays.length + (await stop(home, signal, () => true));
}

/** Ends kernels without a connection, for example when they keep too many files open. */
export function stopUnusedGateways(home: string, signal?: AbortSignal): Promise<number> {
  return stop(home, signal, async (record) => {
    const kernels = await kernelsOf(record);
    return kernels === null || kernels.every(({ connections }) => connections === 0);
  });
}

async function stop(
  home: string,
  signal: AbortSignal | undefined,
  isMeant: (record: GatewayRecord) => boolean | Promise<boolean>,
): Promise<number> {
  const records = await runningRecords(home);
  const stopping = records.map(({ folder }) =>
    whileHolding(lockIn(folder), { signal }, async () => {
      const record = await readRecord(folder);
      if (record === null || !(await isMeant(record))) return 0;
      await end(record);
      await removeRecord(folder);
      return 1;
    }),
  );
  const stopped = await Promise.all(stopping);
  return stopped.filter((count) => count === 1).length;
}

/** Null when the gateway does not say. */
async function kernelsOf(record: GatewayRecord): Promise<readonly { readonly connections?: number }[] | null> {
  using deadline = deadlineAfter(answerWithinMs);
  const request = { method: "GET", path: "api/kernels", signal: deadline.signal } as const;
  const reply = await ask(record, request).catch(() => null);
  return Array.isArray(reply?.body) ? reply.body : null;
}

async function runningRecords(home: string): Promise<{ readonly folder: string; readonly record: GatewayRecord }[]> {
  const names = await readdir(gatewaysIn(home)).catch(() => []);
  const folders = names.map((name) => join(gatewaysIn(home), name));
  const records = await Promise.all(folders.map(async (folder) => ({ folder, record: await readRecord(folder) })));
  return records.flatMap(({ folder, record }) =>
    record !== null && isStillRunning(record) ? [{ folder, record }] : [],
  );
}

const answerWithinMs = 5000;
const graceMs = 5000;
const lookAgainMs = 25;

/** Asks the gateway to end, which ends its kernels, then kills it. Another process with the same number is left alone. */
async function end(gateway: ProcessIdentity): Promise<void> {
  if (!isStillRunning(gateway)) return;
  // A stopped gateway does not notice SIGTERM.
  const timeoutMs = (await isStopped(gateway.pid)) ? 0 : graceMs;
  signalGroup(gateway.pid, "SIGTERM");
  for (const insistAt = Date.now() + timeoutMs; isStillRunning(gateway); await sleep(lookAgainMs)) {
    if (Date.now() >= insistAt) signalGroup(gateway.pid, "SIGKILL");
  }
}

function lockIn(folder: string): string {
  return join(folder, "gateway.lock");
}
