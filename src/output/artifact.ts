/**
 * The file behind a result that was too long to show: the whole output of the execution, under an address that can be
 * read later, `artifact://<id>`.
 */
export interface ArtifactWriter {
  readonly id: string;
  /** Settles when there is room for more. Never rejects: `close` reports a failure. */
  write(text: string): Promise<void>;
  /** Drops everything written so far. */
  restart(): Promise<void>;
  close(): Promise<ArtifactEnd>;
  /** Removes the file: it is not needed after all. */
  discard(): Promise<void>;
}

export type ArtifactEnd =
  /** `incomplete`: a sentence that says why the file has only the first `bytes`. */
  | { readonly kept: true; readonly id: string; readonly bytes: number; readonly incomplete?: string }
  | { readonly kept: false; readonly reason: string };

/** Called when a result first omits something, so that short outputs leave no file behind. */
export type OpenArtifact = () => ArtifactWriter;
