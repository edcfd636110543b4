import type { ArtifactEnd, ArtifactWriter } from "../artifact.ts";
import type { ArtifactFile } from "./artifact-file.ts";
import type { ArtifactSpace } from "./artifact-store.ts";
import { explainWriteFailure } from "./write-failure.ts";

/** In UTF-16 units: with more text than this waiting for the disk, the writer should wait. */
const maxWaiting = 64 * 1024;

/**
 * Writes text into an artifact. Text that arrives while the disk is busy goes into one write afterwards. An artifact
 * that would become too large keeps its beginning, and its last line says so.
 */
export class ArtifactStream implements ArtifactWriter {
  readonly id: string;
  readonly #file: ArtifactFile;
  readonly #space: ArtifactSpace;
  #waiting = "";
  #mustStartAgain = false;
  #isClosed = false;
  #isWriting = false;
  #written: Promise<void> = Promise.resolve();
  #bytes = 0;
  #isCut = false;
  #failure: { readonly error: unknown } | null = null;
  #end: Promise<ArtifactEnd> | null = null;

  constructor(file: ArtifactFile, space: ArtifactSpace) {
    this.id = file.id;
    this.#file = file;
    this.#space = space;
  }

  async write(text: string): Promise<void> {
    if (this.#isClosed || this.#isLost) return;
    this.#waiting += text;
    this.#writeOn();
    if (this.#waiting.length >= maxWaiting) await this.#written;
  }

  /** Also resets a failure: later text may fit. */
  async restart(): Promise<void> {
    if (this.#isClosed) return;
    this.#waiting = "";
    this.#mustStartAgain = true;
    this.#writeOn();
    await this.#written;
  }

  close(): Promise<ArtifactEnd> {
    this.#isClosed = true;
    this.#end ??= this.#finish();
    return this.#end;
  }

  async discard(): Promise<void> {
    this.#isClosed = true;
    await this.#written;
    await this.#file.drop();
  }

  /** Later text would not continue the text in the file. */
  get #isLost(): boolean {
    return (this.#isCut || this.#failure !== null) && !this.#mustStartAgain;
  }

  #writeOn(): void {
    if (!this.#isWriting) this.#written = this.#writeWaiting();
  }

  async #writeWaiting(): Promise<void> {
    this.#isWriting = true;
    while (this.#mustStartAgain || this.#completeLength > 0) {
      try {
        if (this.#mustStartAgain) await this.#startAgain();
        else await this.#append(Buffer.from(this.#takeWaiting()));
      } catch (error) {
        this.#failure = { error };
      }
      if (this.#isLost) this.#waiting = "";
    }
    this.#isWriting = false;
  }

  async #startAgain(): Promise<void> {
    this.#mustStartAgain = false;
    await this.#file.empty();
    this.#bytes = 0;
    this.#isCut = false;
    this.#failure = null;
  }

  async #append(bytes: Uint8Array): Promise<void> {
    const wanted = Math.min(bytes.length, this.#space.perArtifact - this.#bytes);
    await this.#space.use(wanted, async (allowed) => {
      const kept = wholeCharacters(bytes, allowed);
      await this.#file.append(kept);
      this.#bytes += kept.length;
      this.#isCut = kept.length < bytes.length;
    });
  }

  #takeWaiting(): string {
    const length = this.#completeLength;
    const text = this.#waiting.slice(0, length);
    this.#waiting = this.#waiting.slice(length);
    return text;
  }

  /** Without half a character at the end, whose other half may be in the next text. */
  get #completeLength(): number {
    const { length } = this.#waiting;
    const last = this.#waiting.charCodeAt(length - 1);
    const isHalf = last >= 0xd800 && last <= 0xdbff;
    return isHalf && !this.#isClosed ? length - 1 : length;
  }

  async #finish(): Promise<ArtifactEnd> {
    this.#writeOn();
    await this.#written;
    try {
      if (this.#failure !== null) throw this.#failure.error;
      const incomplete = this.#isCut ? this.#space.explainCut(this.#bytes) : null;
      if (incomplete !== null) await this.#file.append(Buffer.from(`\n[${incomplete}]\n`));
      await this.#file.keep();
      return { kept: true, id: this.id, bytes: this.#bytes, ...(incomplete === null ? {} : { incomplete }) };
    } catch (error) {
      await this.#file.drop();
      return { kept: false, reason: explainWriteFailure(error, this.#file.folder) };
    }
  }
}

/** The beginning of a UTF-8 text that fits into a length. */
function wholeCharacters(bytes: Uint8Array, length: number): Uint8Array {
  if (length >= bytes.length) return bytes;
  const isInside = (index: number) => ((bytes[index] ?? 0) & 0b1100_0000) === 0b1000_0000;
  let end = length;
  while (end > 0 && isInside(end)) end--;
  return bytes.subarray(0, end);
}
