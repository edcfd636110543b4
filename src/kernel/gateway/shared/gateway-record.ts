import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "../../../support/files/atomic-write.ts";
import { isExhaustion } from "../../../support/process/exhaustion.ts";
import type { ProcessIdentity } from "../../../support/process/process-identity.ts";

/** The content of `gateway.json`, about a gateway that was started on this machine. */
export interface GatewayRecord extends ProcessIdentity {
  readonly url: string;
  readonly token: string;
  /** The Python that its kernels run. */
  readonly interpreter: string;
  readonly startedAt: string;
}

/** @throws only without descriptors: another gateway must not take the place of one that runs */
export async function readRecord(folder: string): Promise<GatewayRecord | null> {
  try {
    return decoded(JSON.parse(await readFile(fileIn(folder), "utf8")));
  } catch (error) {
    if (isExhaustion(error)) throw error;
    return null; // missing or incomplete: it leads to no gateway
  }
}

export function writeRecord(folder: string, record: GatewayRecord): Promise<void> {
  return writeFileAtomically(fileIn(folder), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
}

export function removeRecord(folder: string): Promise<void> {
  return rm(fileIn(folder), { force: true });
}

function fileIn(folder: string): string {
  return join(folder, "gateway.json");
}

function decoded(value: Partial<Record<keyof GatewayRecord, unknown>> | null): GatewayRecord | null {
  if (typeof value !== "object" || value === null) return null;
  const { pid, began, url, token, interpreter, startedAt } = value;
  const isWhole =
    Number.isInteger(pid) &&
    (pid as number) > 1 &&
    (began === null || typeof began === "string") &&
    [url, token, interpreter, startedAt].every((text) => typeof text === "string");
  return isWhole ? ({ pid, began, url, token, interpreter, startedAt } as GatewayRecord) : null;
}
