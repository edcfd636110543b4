import { GranaryError } from "../../support/granary-error.ts";

type SetupErrorCode = "no-python" | "no-venv" | "no-network" | "install-failed" | "not-writable";

/** The managed environment could not be made; the sentence names the remedy, `lines` has the tool's last lines. */
export function setupError(
  code: SetupErrorCode,
  message: string,
  lines: readonly string[] = [],
  cause?: unknown,
): GranaryError {
  return new GranaryError(code, [message, ...lines.map((line) => `  ${line}`)].join("\n"), {
    details: { lines },
    cause,
  });
}
