import { closeSync, openSync, readSync } from "node:fs";

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

  close(): void {
    closeSync(this.#fd);
  }
}
