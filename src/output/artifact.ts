/**
 * The file behind a result that was too long to show: all of what the execution put out, under an address that can be
 * read later, `artifact://<id>`.
 */
export interface ArtifactWriter {
  readonly id: string;
  /** Settles when there is room for more. Never rejects: a failure is remembered and told by `close`. */
  write(text: string): Promise<void>;
  /** Forgets what was written so far. */
  restart(): Promise<void>;
  close(): Promise<ArtifactEnd>;
  /** Nobody needs it after all: leaves nothing behind. */
  discard(): Promise<void>;
}

export type ArtifactEnd =
  /** `incomplete`: why only the first `bytes` are there, as a sentence. */
  | { readonly kept: true; readonly id: string; readonly bytes: number; readonly incomplete?: string }
  | { readonly kept: false; readonly reason: string };

/** Called the moment something would be left out, so that short outputs leave no file behind. */
export type OpenArtifact = () => ArtifactWriter;
