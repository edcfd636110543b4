import { join } from "node:path";
import type { ArtifactEnd, ArtifactWriter } from "../artifact.ts";
import { sayBytes } from "../text/say-size.ts";
import { type Claim, claimNumber } from "./artifact-claim.ts";
import { makeRoom, type StoreScope, tidyStore } from "./artifact-cleanup.ts";
import { ArtifactFile } from "./artifact-file.ts";
import { artifactId, sessionLabel } from "./artifact-id.ts";
import type { ArtifactEnding } from "./artifact-kinds.ts";
import { ArtifactStream } from "./artifact-stream.ts";
import { explainWriteFailure } from "./write-failure.ts";

export interface ArtifactStoreOptions {
  /** Granary's own store: every session has a folder in it. */
  readonly root: string;
  /** Any name; `sessionLabel` turns it into a part of ids. */
  readonly session: string;
  /** A folder of the host for this session's artifacts, instead of one in `root`. The limits then apply to that folder alone. */
  readonly folder?: string | undefined;
  /** Bytes for all artifacts together; the oldest are removed first. One artifact may take half. */
  readonly maxBytes: number;
  /** Opening a store removes older artifacts. */
  readonly keepDays: number;
  readonly now?: () => number;
  /** Gets the id of every artifact that this store begins. */
  readonly onNew?: ((id: string) => void) | undefined;
}

/** Content that is too large for memory. */
interface ContentInPieces {
  /** An upper estimate of the bytes. */
  readonly bytes: number;
  chunks(): AsyncIterable<Uint8Array>;
}

export interface ArtifactStore {
  /** The folder for `findArtifact`. */
  readonly root: string;
  /** The folder of this session's artifacts. */
  readonly folder: string;
  /** Begins a text to write in pieces. Never throws: closing it reports failures. */
  open(ending?: ArtifactEnding): ArtifactWriter;
  /** Writes all or nothing, because half a picture is useless. */
  save(content: Uint8Array | string | ContentInPieces, ending: ArtifactEnding): Promise<ArtifactEnd>;
  /** Settles when old artifacts have been removed; callers need not wait. */
  readonly tidied: Promise<void>;
}

/** The folder for the artifacts of all sessions, in Granary's own folder. */
export function artifactRoot(granaryHome: string): string {
  return join(granaryHome, "artifacts");
}

/** Stores one session's artifacts. Writes nothing to the disk before the first artifact. */
export function openArtifactStore(options: ArtifactStoreOptions): ArtifactStore {
  const label = sessionLabel(options.session);
  const isHosts = options.folder !== undefined;
  const root = options.folder ?? options.root;
  const folder = isHosts ? root : join(root, label);
  const scope: StoreScope = isHosts ? { type: "session", folder, label } : { type: "all", root };
  const space = new ArtifactSpace(scope, options.maxBytes);
  let next = 1;

  const claim = (): Claim => {
    const claimed = claimNumber(folder, label, next);
    next = claimed.number + 1;
    options.onNew?.(claimed.id);
    return claimed;
  };

  return {
    root,
    folder,
    open(ending = "txt") {
      try {
        return new ArtifactStream(new ArtifactFile(claim(), ending), space);
      } catch (error) {
        return lostArtifact(artifactId(label, next), explainWriteFailure(error, folder));
      }
    },
    async save(content, ending) {
      const pieces = inPieces(content);
      const tooBig = { kept: false, reason: space.explainRefusal(pieces.bytes) } as const;
      if (pieces.bytes > space.perArtifact) return tooBig;
      try {
        return await space.use(pieces.bytes, async (allowed) =>
          allowed < pieces.bytes ? tooBig : saveFile(new ArtifactFile(claim(), ending), pieces),
        );
      } catch (error) {
        return { kept: false, reason: explainWriteFailure(error, folder) };
      }
    },
    tidied: tidyStore(scope, { olderThanDays: options.keepDays, now: options.now?.() ?? Date.now() }),
  };
}

function inPieces(content: Uint8Array | string | ContentInPieces): ContentInPieces {
  if (typeof content !== "string" && !(content instanceof Uint8Array)) return content;
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return {
    bytes: bytes.length,
    async *chunks() {
      yield bytes;
    },
  };
}

async function saveFile(file: ArtifactFile, content: ContentInPieces): Promise<ArtifactEnd> {
  try {
    let bytes = 0;
    for await (const chunk of content.chunks()) {
      await file.append(chunk);
      bytes += chunk.length;
    }
    await file.keep();
    return { kept: true, id: file.id, bytes };
  } catch (error) {
    await file.drop();
    throw error;
  }
}

/** Replaces an artifact that could not be opened. */
function lostArtifact(id: string, reason: string): ArtifactWriter {
  return {
    id,
    write: async () => undefined,
    restart: async () => undefined,
    close: async () => ({ kept: false, reason }),
    discard: async () => undefined,
  };
}

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
