import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomically } from "../../support/files/atomic-write.ts";

const block = 100;

/**
 * The numbers of executions, which grow from hub to hub: an id of an earlier hub never means another execution. A block of
 * numbers is reserved on disk at a time, so that a crash can only skip some.
 */
export class ExecutionNumbers {
  readonly first: number;
  readonly #file: string;
  #reserved: number;
  #last: number;
  #written: Promise<void> = Promise.resolve();

  constructor(folder: string) {
    this.#file = join(folder, "executions.json");
    this.first = lastReserved(this.#file) + 1;
    this.#reserved = this.first - 1;
    this.#last = this.#reserved;
  }

  /** Call it with the number of every new execution. */
  async use(number: number): Promise<void> {
    this.#last = Math.max(this.#last, number);
    if (number < this.#reserved - block / 10) return;
    this.#reserved = Math.max(this.#reserved, number) + block;
    await this.#write(this.#reserved);
  }

  /** Gives back the numbers that were not used. */
  async close(): Promise<void> {
    await this.#write(this.#last);
  }

  #write(reserved: number): Promise<void> {
    this.#written = this.#written
      .then(() => writeFileAtomically(this.#file, `${JSON.stringify({ reserved })}\n`, { mode: 0o600 }))
      .catch(() => {});
    return this.#written;
  }
}

function lastReserved(file: string): number {
  try {
    const { reserved } = JSON.parse(readFileSync(file, "utf8")) as { readonly reserved?: unknown };
    return typeof reserved === "number" && Number.isSafeInteger(reserved) && reserved > 0 ? reserved : 0;
  } catch {
    return 0;
  }
}
