import type { GranaryErrorCode } from "./error-codes.ts";

/** Facts for programs. The fields depend on the code. */
export interface GranaryErrorDetails {
  readonly path?: string;
  /** Both count from 1, as in editors; null where unknown. */
  readonly line?: number | null;
  readonly column?: number;
  readonly cellIndex?: number;
  readonly [detail: string]: unknown;
}

/** The same in every copy of the package: a program and its extensions may each have one. */
const brand = Symbol.for("granary.error");

/**
 * Every error that Granary throws. `code` is for programs, `message` is a sentence for people that names the remedy.
 * `docs/errors.md` lists the codes. An exception raised in Python is a result and is never thrown.
 *
 * @example
 * try {
 *   await findInterpreter({ explicit: "/no/python", cwd: "/", env: {} });
 * } catch (error) {
 *   if (!isGranaryError(error)) throw error;
 *   if (error.code === "no-python") console.error(`Install Python first. ${error.message}`);
 * }
 */
export class GranaryError<
  Code extends GranaryErrorCode = GranaryErrorCode,
  Details extends GranaryErrorDetails = GranaryErrorDetails,
> extends Error {
  override readonly name: string = "GranaryError";
  readonly code: Code;
  readonly details: Details;

  constructor(
    code: Code,
    message: string,
    { details, cause }: { readonly details?: Details; readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details ?? ({} as Details);
  }
}

Object.defineProperty(GranaryError.prototype, brand, { value: true });

/**
 * Recognizes errors from another copy of the package, unlike `instanceof`. With codes: true only for these.
 *
 * @example
 * if (isGranaryError(error, "busy")) await session.interrupt();
 */
export function isGranaryError<Code extends GranaryErrorCode = GranaryErrorCode>(
  value: unknown,
  ...codes: readonly Code[]
): value is GranaryError<Code> {
  const error = value as { readonly [brand]?: unknown; readonly code?: unknown } | null | undefined;
  if (typeof error !== "object" || error === null || error[brand] !== true) return false;
  return codes.length === 0 || codes.some((code) => code === error.code);
}
