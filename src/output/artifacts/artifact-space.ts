import { sayBytes } from "../text/say-size.ts";
import { makeRoom, type StoreScope } from "./artifact-cleanup.ts";

/** A runaway loop may not push every other artifact out of the store. */
const largestShare = 1 / 2;
/** How much of the store is taken at once: looking through the store for every write would be slow. */
const step = 1 / 16;

/**
 * The disk space that artifacts may take together. Other sessions write into the same folder, so this knows what was
 * free at its last look, and the limit may be passed by a step for each session that is writing.
 */
export class ArtifactSpace {
  readonly perArtifact: number;
  readonly #scope: StoreScope;
  readonly #maxBytes: number;
  #free = 0;
  #lastUse: Promise<unknown> = Promise.resolve();

  constructor(scope: StoreScope, maxBytes: number) {
    this.perArtifact = Math.floor(maxBytes * largestShare);
    this.#scope = scope;
    this.#maxBytes = maxBytes;
  }

  /**
   * Says how many of so many bytes may be written; the oldest artifacts make room for them. One after the other,
   * since a look at the store sees only what has been written.
   */
  use<Result>(bytes: number, write: (allowed: number) => Promise<Result>): Promise<Result> {
    const result = this.#lastUse.then(async () => write(await this.#take(bytes)));
    this.#lastUse = result.catch(() => undefined);
    return result;
  }

  explainCut(bytes: number): string {
    return `Only the first ${sayBytes(bytes)} were kept: ${this.#explainLimit()}`;
  }

  explainRefusal(bytes: number): string {
    return `It has ${sayBytes(bytes)}: ${this.#explainLimit()}`;
  }

  #explainLimit(): string {
    const limit = `the limit of all artifacts is ${sayBytes(this.#maxBytes)} (artifacts.maxMegabytes)`;
    return `${limit}, and one may take up to half of it.`;
  }

  async #take(bytes: number): Promise<number> {
    if (bytes > this.#free) {
      const wanted = Math.max(bytes, Math.ceil(this.#maxBytes * step));
      this.#free = Math.min(wanted, await makeRoom(this.#scope, wanted, this.#maxBytes));
    }
    const allowed = Math.min(bytes, this.#free);
    this.#free -= allowed;
    return allowed;
  }
}
