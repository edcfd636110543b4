import type { ArtifactEnd, ArtifactWriter } from "../../src/output/artifact.ts";
import { type Deferred, deferred } from "../../src/support/deferred.ts";

/** An artifact whose file is as slow, and as broken, as a test wants it. */
export class ArtifactInMemory implements ArtifactWriter {
  readonly id = "test-1";
  readonly #failure: string | undefined;
  #gate: Deferred<void> | undefined;
  text = "";
  writes = 0;
  restarts = 0;
  isClosed = false;
  isDiscarded = false;

  constructor({ failure }: { failure?: string } = {}) {
    this.#failure = failure;
  }

  /** From now on no write comes to an end, until the returned function is called. */
  block(): () => void {
    const gate = deferred<void>();
    this.#gate = gate;
    return () => {
      this.#gate = undefined;
      gate.resolve();
    };
  }

  async write(text: string): Promise<void> {
    this.writes++;
    await this.#gate?.promise;
    this.text += text;
  }

  async restart(): Promise<void> {
    this.restarts++;
    this.text = "";
  }

  async discard(): Promise<void> {
    this.isDiscarded = true;
  }

  async close(): Promise<ArtifactEnd> {
    this.isClosed = true;
    if (this.#failure !== undefined) return { kept: false, reason: this.#failure };
    return { kept: true, id: this.id, bytes: Buffer.byteLength(this.text) };
  }
}
