import { appendFileSync, statSync, truncateSync } from "node:fs";

const mostBytes = 1_000_000;

/**
 * The hub's log: its beginning, its end, and failures; no code, no output, no variables. Synchronous, because a log has to
 * survive a crash, and it has few lines.
 */
export class BoundedLog {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  write(line: string): void {
    try {
      // Standard error of the process goes there as well.
      if ((statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0) > mostBytes) truncateSync(this.#path);
      appendFileSync(this.#path, `${new Date().toISOString()} ${line.replaceAll("\n", " ")}\n`, { mode: 0o600 });
    } catch {}
  }
}
