import { closeSync, openSync, readSync } from "node:fs";

export interface NotedStack {
  readonly cell: number;
  /** In seconds. */
  readonly at: number;
  /** The outermost first. */
  readonly frames: readonly (readonly [file: string, line: number | null, name: string])[];
}

const stackPlace = 16;
const mostBytes = 65_536;

/** Where the runner notes which cell has begun; read only when no frame says it. See "Start" in protocol/README.md. */
export class Journal {
  readonly #fd: number;
  readonly #buffer = Buffer.alloc(8);

  constructor(path: string) {
    this.#fd = openSync(path, "r");
  }

  /** The number of the newest cell that has begun. */
  get begun(): number {
    const length = readSync(this.#fd, this.#buffer, 0, this.#buffer.length, 0);
    return length === 0 ? 0 : Number(this.#buffer.readBigUInt64LE());
  }

  /** Where a cell was when Python last had the time to note it; null when it never had. */
  stackOf(cell: number): NotedStack | null {
    const buffer = Buffer.alloc(mostBytes);
    const length = readSync(this.#fd, buffer, 0, mostBytes, stackPlace);
    // Behind its end may be the rest of a longer one; one that is being written cannot be read.
    const end = buffer.subarray(0, length).indexOf("\n");
    try {
      const noted = JSON.parse(buffer.toString("latin1", 0, Math.max(0, end))) as NotedStack;
      return noted.cell === cell ? noted : null;
    } catch {
      return null;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }
}
