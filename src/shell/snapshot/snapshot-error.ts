/** Why there is no snapshot, as a sentence for whoever asks; commands then run without one. */
export class SnapshotError extends Error {
  override readonly name = "SnapshotError";
  readonly code = "no-snapshot";
}
