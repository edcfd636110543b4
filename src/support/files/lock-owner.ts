import { randomUUID } from "node:crypto";
import { readlinkSync } from "node:fs";
import { stat } from "node:fs/promises";
import { hostname } from "node:os";
import { identityOf, isStillRunning, type ProcessIdentity } from "../process/process-identity.ts";

/** What a lock's file says about its owner. */
interface LockOwner extends ProcessIdentity {
  readonly host: string;
  /** Containers may share a host's name and still count their processes on their own. */
  readonly pidNamespace?: string | null;
  /** Tells two owners apart that are the same process. */
  readonly word: string;
}

/** An owner that cannot be looked at, because it is on another machine, counts as gone after so long without a heartbeat. */
const silentMs = 30_000;
/** A record without an owner is being written, unless it stays so. */
const unwrittenMs = 5000;
/** It need not be watched for so long if its file is older than that. The clock of a file server may be wrong, so for a while it is. */
const glimpseMs = 250;
/** In place of a record that only others may read. Its owner may be alive. */
export const unreadable = "unreadable";
/** No clock of another machine is so wrong. */
const abandonedMs = 10 * 60_000;
/** Looking at a process costs another process on some systems. */
const betweenLooksMs = 100;

export function newRecord(): string {
  self ??= { ...identityOf(process.pid), host: hostname(), pidNamespace: pidNamespace() };
  const owner: LockOwner = { ...self, word: randomUUID() };
  return JSON.stringify(owner);
}

let self: Omit<LockOwner, "word"> | undefined;

/** `process 4711`, or `process 4711 on HOST` */
export function sayOwner(record: string): string {
  const owner = ownerIn(record);
  if (owner === null) return "an unknown process";
  return owner.host === hostname() ? `process ${owner.pid}` : `process ${owner.pid} on ${owner.host}`;
}

/** What a process that waits for a lock has seen of the lock's owner. */
export class OwnerWatch {
  readonly #file: string;
  #record: string | null = null;
  #seenSince = 0;
  #lastLook = Number.NEGATIVE_INFINITY;
  #heartbeat: number | null = null;
  #heartbeatSince = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** @returns for how many milliseconds this has been the record, as far as was seen */
  see(record: string | null): number {
    const now = performance.now();
    if (record !== this.#record) {
      this.#record = record;
      this.#seenSince = now;
      this.#lastLook = Number.NEGATIVE_INFINITY;
      this.#heartbeat = null;
    }
    return now - this.#seenSince;
  }

  /** Whether the owner that was seen has ended. */
  async isGone(): Promise<boolean> {
    const now = performance.now();
    if (this.#record === null || now - this.#lastLook < betweenLooksMs) return false;
    this.#lastLook = now;
    const owner = ownerIn(this.#record);
    if (owner !== null && isOfThisMachine(owner)) return !isStillRunning(owner);
    if (owner === null && this.#record !== unreadable && (await this.#isOld()))
      return now - this.#seenSince > glimpseMs;
    return this.#isSilent(owner === null ? unwrittenMs : silentMs);
  }

  async #isOld(): Promise<boolean> {
    const file = await stat(this.#file).catch(() => null);
    return file !== null && Date.now() - file.mtimeMs > unwrittenMs;
  }

  /** Counted here: the clocks of two machines may differ by more than a heartbeat. */
  async #isSilent(limitMs: number): Promise<boolean> {
    const file = await stat(this.#file).catch(() => null);
    if (file === null) return false;
    if (Date.now() - file.mtimeMs > abandonedMs) return true;
    const now = performance.now();
    if (file.mtimeMs !== this.#heartbeat) {
      this.#heartbeat = file.mtimeMs;
      this.#heartbeatSince = now;
    }
    return now - this.#heartbeatSince > limitMs;
  }
}

function ownerIn(record: string): LockOwner | null {
  try {
    const owner = JSON.parse(record) as LockOwner;
    return Number.isInteger(owner.pid) && owner.pid > 0 && typeof owner.host === "string" ? owner : null;
  } catch {
    return null;
  }
}

function isOfThisMachine({ host, pidNamespace: theirs }: LockOwner): boolean {
  return host === hostname() && (theirs === undefined || theirs === pidNamespace());
}

/** Null where the system has none. */
function pidNamespace(): string | null {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return null;
  }
}
