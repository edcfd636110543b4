import type { Origin } from "./origin.ts";

/** A setting that cannot be; the message names the file, variable or option, and what would be accepted. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly code = "settings";
  readonly origin: Origin;

  constructor(message: string, origin: Origin, options?: { readonly cause: unknown }) {
    super(message, options);
    this.origin = origin;
  }
}
