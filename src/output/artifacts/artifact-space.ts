import { sayBytes } from "../text/say-size.ts";
import { makeRoom, type StoreScope } from "./artifact-cleanup.ts";

/** An endless loop must not push all other artifacts out of the store. */
const largestShare = 1 / 2;
/** Bytes to reserve at once: scanning the store for every write would be slow. */
const step = 1 / 16;

/**
 * The disk space for all artifacts. Other sessions write into the same folder, so this class knows only the space that was
 * free at its last scan, and each writing session may exceed the limit by one step.
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
   * Returns how many of so many bytes may be written, and removes the oldest artifacts for them. Calls run one after another,
   * because a scan sees only bytes that are on the disk.
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
