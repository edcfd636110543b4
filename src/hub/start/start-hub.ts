import { type StdioOptions, spawn } from "node:child_process";
import { readFileSync, renameSync } from "node:fs";
import { open, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Environment } from "../../support/environment.ts";
import { whileHolding } from "../../support/files/file-lock.ts";
import { packageFile } from "../../support/files/package-file.ts";
import { systemReason } from "../../support/files/system-reason.ts";
import { GranaryError, isGranaryError } from "../../support/granary-error.ts";
import { withoutForeignDescriptors } from "../../support/process/descriptors.ts";
import { signalGroup, started } from "../../support/process/process-group.ts";
import { isStillRunning } from "../../support/process/process-identity.ts";
import { hubFolder, hubLogIn } from "./hub-folder.ts";
import { type HubRecord, readHubRecord } from "./hub-record.ts";
import { prepareSocketPath } from "./socket-path.ts";

/** Node on a loaded machine may take its time. */
const startWithinMs = 30_000;
const lookAgainMs = 10;
const shownLogBytes = 2000;

/**
 * The hub of that home: the one that runs, or a new one. Processes that ask at the same time get the same one. A record of
 * an ended hub, or of another process with the same number, counts for nothing.
 */
export async function startHub(home: string, env: Environment, signal?: AbortSignal): Promise<HubRecord> {
  const folder = hubFolder(home);
  try {
    await prepareSocketPath(folder);
    return await whileHolding(lockIn(folder), { signal }, async () => {
      const found = readHubRecord(folder);
      return found !== null && isStillRunning(found) ? found : spawnHub(folder, home, env);
    });
  } catch (error) {
    throw reasonOfSystem(error, folder) ?? error;
  }
}

/** A disk that is full or read-only is no bug. Null for other errors. */
function reasonOfSystem(cause: unknown, folder: string): GranaryError | null {
  const { code, syscall } = cause as NodeJS.ErrnoException;
  if (isGranaryError(cause) || code === undefined || syscall === undefined) return null;
  return new GranaryError(
    "hub-start",
    `The hub could not be started in ${folder}: ${systemReason(cause)}. Set GRANARY_HOME to another folder, or work without the hub: GRANARY_HUB=never`,
    { cause },
  );
}

function lockIn(folder: string): string {
  return join(folder, "hub.lock");
}

async function spawnHub(folder: string, home: string, env: Environment): Promise<HubRecord> {
  keepLastLog(folder);
  const log = await open(hubLogIn(folder), "a", 0o600);
  try {
    const start = (stdio: StdioOptions) =>
      spawn(process.execPath, [packageFile("bin/granary"), "hub", "serve"], {
        // Not the caller's folder, which may be deleted earlier.
        cwd: folder,
        detached: true,
        stdio,
        env: hubEnvironment(env, home),
      });
    const child = await withoutForeignDescriptors(["ignore", log.fd, log.fd], (stdio) =>
      started(() => start(stdio)),
    ).catch((cause: Error) => {
      throw new GranaryError("hub-start", `The hub could not be started: ${cause.message}.`, { cause });
    });
    child.unref();
    const giveUpAt = Date.now() + startWithinMs;
    for (;;) {
      const record = readHubRecord(folder);
      if (record !== null && record.pid === child.pid) return record;
      if (child.exitCode !== null || child.signalCode !== null) throw await neverReady(folder);
      if (Date.now() > giveUpAt) {
        signalGroup(child.pid as number, "SIGKILL");
        throw await neverReady(folder);
      }
      await sleep(lookAgainMs);
    }
  } finally {
    await log.close();
  }
}

/** The variables of the hub itself. Kernels get those of the client that uses them. */
const variables = ["PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "LANG", "LC_ALL", "LC_CTYPE", "NODE_COMPILE_CACHE"];

function hubEnvironment(env: Environment, home: string): Record<string, string> {
  const own = Object.entries(env).filter(
    ([name, value]) => value !== undefined && (variables.includes(name) || name.startsWith("GRANARY_HUB")),
  );
  return { ...(Object.fromEntries(own) as Record<string, string>), GRANARY_HOME: home };
}

/** Why the last hub ended is still of interest when the next one has started. */
function keepLastLog(folder: string): void {
  try {
    renameSync(hubLogIn(folder), `${hubLogIn(folder)}.old`);
  } catch {}
}

async function neverReady(folder: string): Promise<GranaryError> {
  const said = lastWords(folder);
  if (said === "") await requireRoom(folder);
  return new GranaryError(
    "hub-start",
    `The hub ended before it was ready.${said === "" ? "" : ` It said: ${said}`} Its log is ${hubLogIn(folder)}. To work without it: GRANARY_HUB=never`,
  );
}

/** On a full disk, the hub could not even say why it ended. Throws the system's error. */
async function requireRoom(folder: string): Promise<void> {
  const file = join(folder, `room-${process.pid}`);
  await writeFile(file, Buffer.alloc(64 * 1024)).finally(() => rm(file, { force: true }));
}

function lastWords(folder: string): string {
  try {
    return readFileSync(hubLogIn(folder), "utf8").slice(-shownLogBytes).trim();
  } catch {
    return "";
  }
}
