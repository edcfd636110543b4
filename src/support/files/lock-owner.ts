import { randomUUID } from "node:crypto";
import { readlinkSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { hostname } from "node:os";
import { identityOf, isStillRunning, type ProcessIdentity } from "../process/process-identity.ts";

/** The owner's record in a lock file. */
interface LockOwner extends ProcessIdentity {
  readonly host: string;
  /** Containers may share a host name and still have separate process ids. */
  readonly pidNamespace?: string | null;
  /** Distinguishes two owners in the same process. */
  readonly word: string;
}

/** An owner that cannot be checked, because it is on another machine, counts as gone after this long without a heartbeat. */
const silentMs = 30_000;
/** A record without an owner is being written, unless it stays that way. */
const unwrittenMs = 5000;
/** The shorter watch for a file that is older than that. Not zero, because a file server's clock may be wrong. */
const glimpseMs = 250;
/** Stands for a record that only others may read. Its owner may be alive. */
export const unreadable = "unreadable";
/** No machine's clock is this wrong. */
const abandonedMs = 10 * 60_000;
/** Checking a process costs another process on some systems. */
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

/** A waiting process's observations of the lock's owner. */
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

  /** @returns how many milliseconds this record has been observed */
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

  /** Whether the observed owner has ended. */
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
    const file = await lstat(this.#file).catch(() => null);
    return file !== null && Date.now() - file.mtimeMs > unwrittenMs;
  }

  /** Measured on this machine: the clocks of two machines may differ by more than a heartbeat. */
  async #isSilent(limitMs: number): Promise<boolean> {
    const file = await lstat(this.#file).catch(() => null);
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
