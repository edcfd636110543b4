import type { ArtifactEnd, ArtifactWriter } from "./artifact.ts";

// A producer that waits at this size uses no more memory than this.
const pressureAt = 1024 * 1024;

/** Writes to an artifact one after another, and joins texts that arrive during a write. */
export class Spill {
  readonly #writer: ArtifactWriter;
  #waiting = "";
  #restarts = false;
  #busy: Promise<void> | undefined;

  constructor(writer: ArtifactWriter) {
    this.#writer = writer;
  }

  get id(): string {
    return this.#writer.id;
  }

  /** Set if so much text is waiting that the producer should wait. */
  get pressure(): Promise<void> | undefined {
    return this.#waiting.length > pressureAt ? this.#busy : undefined;
  }

  write(text: string): void {
    if (text === "") return;
    this.#waiting += text;
    this.#busy ??= this.#work();
  }

  restart(): void {
    this.#waiting = "";
    this.#restarts = true;
    this.#busy ??= this.#work();
  }

  async close(): Promise<ArtifactEnd> {
    await this.#busy;
    return this.#writer.close();
  }

  async discard(): Promise<void> {
    this.#waiting = "";
    await this.#busy;
    await this.#writer.discard();
  }

  async #work(): Promise<void> {
    while (this.#restarts || this.#waiting !== "") {
      if (this.#restarts) {
        this.#restarts = false;
        await this.#writer.restart();
      } else {
        const text = this.#waiting;
        this.#waiting = "";
        await this.#writer.write(text);
      }
    }
    this.#busy = undefined;
  }
}
