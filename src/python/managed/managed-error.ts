export type SetupErrorCode = "no-python" | "no-venv" | "no-network" | "install-failed" | "not-writable";

/** The managed environment could not be made; the sentence names the remedy, `lines` is what the tool said last. */
export class SetupError extends Error {
  override readonly name = "SetupError";
  readonly code: SetupErrorCode;
  readonly lines: readonly string[];

  constructor(code: SetupErrorCode, message: string, lines: readonly string[] = [], cause?: unknown) {
    super([message, ...lines.map((line) => `  ${line}`)].join("\n"), cause === undefined ? undefined : { cause });
    this.code = code;
    this.lines = lines;
  }
}
