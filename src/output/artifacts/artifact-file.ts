import { type FileHandle, open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { GranaryError } from "../../support/granary-error.ts";
import type { Claim } from "./artifact-claim.ts";
import { artifactFileName } from "./artifact-names.ts";

/** Opens a file that must not exist yet, to append to it. Tests replace this to simulate a full disk. */
export type OpenNewFile = (path: string) => Promise<FileHandle>;

const openNewFile: OpenNewFile = (path) => open(path, "ax", 0o600);

/** The bytes of one artifact, under its claimed number. Ends with either `keep` or `drop`. */
export class ArtifactFile {
  readonly id: string;
  readonly folder: string;
  readonly #claim: Claim;
  readonly #path: string;
  readonly #open: OpenNewFile;
  #file: FileHandle | null = null;

  constructor(claim: Claim, ending: string, openFile: OpenNewFile = openNewFile) {
    this.id = claim.id;
    this.folder = claim.folder;
    this.#claim = claim;
    this.#path = join(claim.folder, artifactFileName(claim.id, ending));
    this.#open = openFile;
  }

  async append(bytes: Uint8Array): Promise<void> {
    const file = await this.#opened();
    await file.appendFile(bytes);
  }

  async empty(): Promise<void> {
    await this.#file?.truncate(0);
  }

  /** Fails if the file is no longer at its path, for example because its folder was deleted. */
  async keep(): Promise<void> {
    const file = await this.#opened();
    const [written, found] = await Promise.all([file.stat(), stat(this.#path).catch(() => null)]);
    if (found?.ino !== written.ino || found.dev !== written.dev) {
      throw new GranaryError("artifact-removed", `${this.#path} was removed while it was being written.`);
    }
    await file.close();
    await this.#claim.release();
  }

  /** Removes the file. Never fails, because callers use it after another failure. */
  async drop(): Promise<void> {
    await this.#file?.close().catch(() => undefined);
    if (this.#file !== null) await rm(this.#path, { force: true }).catch(() => undefined);
    await this.#claim.release();
  }

  async #opened(): Promise<FileHandle> {
    this.#file ??= await this.#open(this.#path);
    return this.#file;
  }
}
