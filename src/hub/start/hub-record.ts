import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProcessIdentity } from "../../support/process/process-identity.ts";

/** The content of `hub.json`, which the hub writes when it listens, readable by its owner only. */
export interface HubRecord extends ProcessIdentity {
  readonly socket: string;
  /** Clients prove with it that they can read the owner's files. */
  readonly token: string;
  readonly version: string;
  readonly startedAt: string;
}

/** Synchronous: a client has nothing else to do, and loads less. */
export function readHubRecord(folder: string): HubRecord | null {
  try {
    return decoded(JSON.parse(readFileSync(fileIn(folder), "utf8")));
  } catch {
    return null; // missing or incomplete: it leads to no hub
  }
}

export async function writeHubRecord(folder: string, record: HubRecord): Promise<void> {
  const { writeFileAtomically } = await import("../../support/files/atomic-write.ts");
  await writeFileAtomically(fileIn(folder), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
}

/** Removes the record of that hub, not of a later one. */
export async function removeHubRecord(folder: string, token: string): Promise<void> {
  if (readHubRecord(folder)?.token !== token) return;
  const { rm } = await import("node:fs/promises");
  await rm(fileIn(folder), { force: true });
}

function fileIn(folder: string): string {
  return join(folder, "hub.json");
}

function decoded(value: Partial<Record<keyof HubRecord, unknown>> | null): HubRecord | null {
  if (typeof value !== "object" || value === null) return null;
  const { pid, began, socket, token, version, startedAt } = value;
  const isWhole =
    Number.isInteger(pid) &&
    (pid as number) > 1 &&
    (began === null || typeof began === "string") &&
    [socket, token, version, startedAt].every((text) => typeof text === "string");
  return isWhole ? ({ pid, began, socket, token, version, startedAt } as HubRecord) : null;
}

/** For a client of another version. */
export function sayOtherVersion(
  { pid, version }: Pick<HubRecord, "pid" | "version">,
  theirs: string,
  remedy = " Replace it with: granary hub stop.",
): string {
  return `The hub (process ${pid}) is Granary ${version}, and this is ${theirs}.${remedy}`;
}
