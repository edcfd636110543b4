import { closeSync, openSync, writeSync } from "node:fs";
import { createTrace, type Trace } from "../../kernel/trace.ts";
import { holdsLogin, looksSecret } from "../../python/environment/secret-names.ts";
import type { LoadedSettings } from "../../settings/load-settings.ts";
import { describeOrigin } from "../../settings/origin.ts";
import type { Environment } from "../../support/environment.ts";
import { systemReason } from "../../support/files/system-reason.ts";
import { GranaryError } from "../../support/granary-error.ts";

export interface TraceContext {
  /** Everything a kernel may have been given, secrets among it. */
  readonly env: Environment;
  readonly bridge?: { readonly token: string } | undefined;
  /** Writes to stderr. */
  readonly tell: (line: string) => void;
}

/**
 * The trace that `python.ipcTrace` asks for, if it does. A file is appended to; one that is new can be read by its
 * owner only.
 */
export function openTrace(settings: LoadedSettings, { env, bridge, tell }: TraceContext): Trace | undefined {
  const { ipcTrace, gatewayToken } = settings.values.python;
  if (ipcTrace === false) return undefined;
  const tokens = [gatewayToken, bridge?.token].filter((token) => typeof token === "string");
  return createTrace(ipcTrace === true ? tell : writerTo(ipcTrace, settings), [...tokens, ...secretsIn(env)]);
}

/** Synchronous, because a trace is for the moment in which everything else goes wrong. */
function writerTo(path: string, settings: LoadedSettings): (line: string) => void {
  try {
    append(path, "");
  } catch (error) {
    const origin = settings.origins["python.ipcTrace"];
    const problem = `${describeOrigin(origin)} names ${path}, which cannot be written: ${systemReason(error)}.`;
    throw new GranaryError("settings", `${problem} Name another file, or 1 for stderr.`, {
      details: { origin },
      cause: error,
    });
  }
  return (line) => {
    try {
      append(path, line);
    } catch {
      // A disk that is full by now must not end the kernel that is being watched.
    }
  };
}

function append(path: string, line: string): void {
  const file = openSync(path, "a", 0o600);
  try {
    writeSync(file, line);
  } finally {
    closeSync(file);
  }
}

function secretsIn(env: Environment): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && (looksSecret(name) || holdsLogin(value)) ? [value] : [],
  );
}
