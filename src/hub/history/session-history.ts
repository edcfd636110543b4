import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { appendFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Execution } from "../../session/execution/execution.ts";
import type { SessionLineChange } from "../../session/local-session.ts";
import { writeFileAtomically } from "../../support/files/atomic-write.ts";
import { readSmallFile } from "../../support/files/foreign/regular-file.ts";
import { makeFolder } from "../../support/files/make-folder.ts";
import { identityOf } from "../../support/process/process-identity.ts";
import { decodeEntry, decodeOwner } from "./decode-entry.ts";
import type { HistoryCell } from "./history-cell.ts";
import { actsOfEntries, cellsOfEntries, type HistoryAct, type HistoryEntry } from "./history-entry.ts";

/** The session that a history belongs to. */
export interface HistoryOwner {
  readonly name: string;
  readonly folder: string;
}

/** One session's history is at most this large; older cells make room. */
const mostBytes = 8_000_000;

/** The cells of one session, a line of JSON each; readable without a hub, and after the kernel is gone. */
export class SessionHistory {
  readonly #owner: HistoryOwner;
  readonly #path: string;
  readonly #folder: string;
  /** When it was last written before this process first used it, in milliseconds since the epoch; null without a file. */
  readonly writtenBefore: number | null;
  #bytes: number | null = null;
  #written: Promise<void> = Promise.resolve();

  /** @param folder the hub's folder */
  constructor(folder: string, owner: HistoryOwner) {
    this.#owner = owner;
    this.#folder = historiesIn(folder);
    this.#path = join(this.#folder, fileName(owner));
    this.writtenBefore = statSync(this.#path, { throwIfNoEntry: false })?.mtimeMs ?? null;
  }

  /** One write after the other. A disk that is full costs the history, not the cell. */
  add(cell: HistoryCell): Promise<void> {
    return this.#next(() => this.#append(cell));
  }

  /** A cell that runs for long: after a crash of the hub, the history has it as lost. */
  begin({ id, by, cell }: Execution): Promise<void> {
    const at = new Date().toISOString();
    const { code, title } = cell;
    const hub = identityOf(process.pid);
    return this.#next(() => this.#append({ mark: "begun", id, by: by ?? "granary", at, code, title, hub }));
  }

  /** Only among cells: an act is no reason to begin a history. */
  addAct(act: HistoryAct): Promise<void> {
    return this.#next(async () => {
      if (this.exists) await this.#append(act);
    });
  }

  /**
   * Cells are undone, or are back.
   * @param from the history of the session that ran those that are new here
   */
  change({ why, undone, redone }: Omit<SessionLineChange, "from">, from: SessionHistory | null): Promise<void> {
    const at = new Date().toISOString();
    if (why === "restart")
      return this.#next(async () => {
        if (this.exists) await this.#append({ mark: "restart", at });
      });
    // Only as far as it is now: two histories that wait for each other would wait for ever.
    const hasAll = from?.written();
    return this.#next(async () => {
      await hasAll;
      if (why === "fork" && from !== null) await this.#append({ mark: "branch", of: from.#owner.name, at });
      if (undone.length > 0) await this.#append({ mark: "undone", by: why, cells: undone, at });
      for (const cell of await cellsNamed(from && from.#path, redone)) await this.#append(cell);
      if (redone.length > 0) await this.#append({ mark: "live", cells: redone, at });
    });
  }

  /** Settles when all cells so far are on disk. */
  written(): Promise<void> {
    return this.#written;
  }

  /** Whether there are cells of this or an earlier session. */
  get exists(): boolean {
    return existsSync(this.#path);
  }

  async read(): Promise<readonly HistoryCell[]> {
    await this.#written;
    return (await readHistory(this.#path))?.cells ?? [];
  }

  #next(write: () => Promise<void>): Promise<void> {
    this.#written = this.#written.then(write).catch(() => {});
    return this.#written;
  }

  async #append(entry: HistoryEntry): Promise<void> {
    const line = `${JSON.stringify(entry)}\n`;
    // A user may have deleted the file since.
    if (this.#bytes === null || !this.exists) await this.#begin();
    if ((this.#bytes ?? 0) + line.length > mostBytes) await this.#dropOld();
    await appendFile(this.#path, line, { mode: 0o600 });
    this.#bytes = (this.#bytes ?? 0) + Buffer.byteLength(line);
  }

  async #begin(): Promise<void> {
    const found = await stat(this.#path).catch(() => null);
    this.#bytes = found?.size ?? 0;
    if (found !== null) return;
    await makeFolder(this.#folder, 0o700);
    await this.#write([]);
  }

  /** Down to half, so that it does not happen with every cell. */
  async #dropOld(): Promise<void> {
    const cells = (await readHistory(this.#path))?.cells ?? [];
    const lines = cells.map((cell) => JSON.stringify(cell)).reverse();
    let bytes = 0;
    const kept = lines.filter((line) => {
      bytes += Buffer.byteLength(line);
      return bytes < mostBytes / 2;
    });
    await this.#write(kept.reverse());
  }

  async #write(lines: readonly string[]): Promise<void> {
    const text = `${[JSON.stringify(this.#owner), ...lines].join("\n")}\n`;
    await writeFileAtomically(this.#path, text, { mode: 0o600 });
    this.#bytes = Buffer.byteLength(text);
  }
}

export function historiesIn(folder: string): string {
  return join(folder, "history");
}

function fileName(owner: HistoryOwner): string {
  return `${historyId(owner)}.jsonl`;
}

/** The name for people, and a hash, because names and folders may contain anything. */
export function historyId({ name, folder }: HistoryOwner): string {
  const readable = name.replace(/[^\w.-]+/g, "_").slice(0, 40);
  const hash = createHash("sha256")
    .update(JSON.stringify([name, folder]))
    .digest("hex")
    .slice(0, 12);
  return `${readable}-${hash}`;
}

export interface StoredHistory {
  readonly path: string;
  readonly owner: HistoryOwner;
  readonly cells: readonly HistoryCell[];
  /** Lines that are no entries, which are left out. */
  readonly damagedLines: number;
  readonly acts: readonly HistoryAct[];
}

/** Null when there is none. The last line may be incomplete after a crash, and others may be damaged. */
export async function readHistory(path: string): Promise<StoredHistory | null> {
  const text = await readSmallFile(path, { mostBytes: mostReadBytes }).catch(() => "");
  const [first, ...lines] = text.split("\n").filter((line) => line !== "");
  const owner = first === undefined ? null : decodeOwner(parsed(first));
  if (owner === null) return null;
  const entries = lines.map((line) => decodeEntry(parsed(line))).filter((entry) => entry !== null);
  const damagedLines = lines.length - entries.length;
  return { path, owner, cells: cellsOfEntries(entries), acts: actsOfEntries(entries), damagedLines };
}

/** A write in progress may add a cell to a full history. */
const mostReadBytes = 16 * mostBytes;

async function cellsNamed(path: string | null, ids: readonly string[]): Promise<readonly HistoryCell[]> {
  const wanted = new Set(ids);
  const all = (path === null ? null : await readHistory(path))?.cells ?? [];
  return all.filter(({ id }) => wanted.has(id)).map(({ undone: _, ...cell }) => cell);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
