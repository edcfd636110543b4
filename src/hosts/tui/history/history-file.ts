import { appendFile, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeFileAtomically } from "../../../support/files/atomic-write.ts";
import { whileHolding } from "../../../support/files/file-lock.ts";
import { makeFolder } from "../../../support/files/make-folder.ts";

/** The history is as private as the shell's. */
const onlyOwner = 0o600;
const mostEntries = 10_000;
/** Trimmed to this size, so that not every console has to trim. */
const keptEntries = 5_000;
/** A console that was suspended during a write must not keep another from ending. */
const timeoutMs = 10_000;

/**
 * The input of all consoles, oldest first: one JSON string per line, since an entry may have several lines. Several
 * consoles may append at once.
 */
export class HistoryFile {
  readonly path: string;

  constructor(granaryHome: string) {
    this.path = join(granaryHome, "console-history.jsonl");
  }

  /** Skips damaged lines, and returns none when the file is unreadable: a console works without its history. */
  async read(): Promise<readonly string[]> {
    const entries = await this.#entries();
    if (entries.length <= mostEntries) return entries;
    await this.#alone(async () => {
      const kept = (await this.#entries()).slice(-keptEntries);
      await writeFileAtomically(this.path, kept.map(asLine).join(""), { mode: onlyOwner });
    }).catch(() => {});
    return entries;
  }

  async add(entry: string): Promise<void> {
    await makeFolder(dirname(this.path), 0o700);
    await this.#alone(() => appendFile(this.path, asLine(entry), { mode: onlyOwner }));
  }

  async #entries(): Promise<readonly string[]> {
    const text = await readFile(this.path, "utf8").catch(() => "");
    return text.split("\n").flatMap(asEntry);
  }

  /** Without the lock, an entry added while another console trims the file would be lost. */
  #alone(work: () => Promise<void>): Promise<void> {
    return whileHolding(`${this.path}.lock`, { timeoutMs }, work);
  }
}

function asLine(entry: string): string {
  return `${JSON.stringify(entry)}\n`;
}

function asEntry(line: string): string[] {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "string" ? [entry] : [];
  } catch {
    return [];
  }
}
