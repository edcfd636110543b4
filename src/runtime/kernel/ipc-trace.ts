import { closeSync, constants, openSync, realpathSync, writeSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { createTrace, type Trace } from "../../kernel/trace.ts";
import { holdsLogin, looksSecret } from "../../python/environment/kernel-environment.ts";
import { linkWithin } from "../../sandbox/leads-into.ts";
import { describeOrigin } from "../../settings/origin.ts";
import type { Environment } from "../../support/environment.ts";
import { openWithoutLinks } from "../../support/files/foreign/open-without-links.ts";
import { systemReason } from "../../support/files/system-reason.ts";
import { GranaryError } from "../../support/granary-error.ts";
import type { RuntimeContext } from "../runtime-options.ts";
import { writablePlaces } from "../sandbox/writable-places.ts";

interface TraceOptions {
  /** Variables that a kernel receives beside those of the runtime. */
  readonly env: Environment;
  readonly bridge?: { readonly token: string } | undefined;
  /** Writes to stderr. */
  readonly tell: (line: string) => void;
}

/**
 * The trace of `python.ipcTrace`, if set, without the secrets that a kernel may have received. Appends to a file; a new file is
 * readable by its owner only.
 */
export function openTrace(context: RuntimeContext, { env, bridge, tell }: TraceOptions): Trace | undefined {
  const { ipcTrace, gatewayToken } = context.settings.values.python;
  if (ipcTrace === false) return undefined;
  const tokens = [gatewayToken, bridge?.token].filter((token) => typeof token === "string");
  const secrets = secretsIn({ ...context.env, ...env });
  return createTrace(ipcTrace === true ? tell : writerTo(ipcTrace, context), [...tokens, ...secrets]);
}

/** Synchronous, because a trace has to survive a crash. */
function writerTo(path: string, context: RuntimeContext): (line: string) => void {
  const origin = context.settings.origins["python.ipcTrace"];
  const refuse = (reason: string, cause?: unknown): never => {
    const problem = `${describeOrigin(origin)} names ${path}, which cannot be written: ${reason}.`;
    throw new GranaryError("settings", `${problem} Name another file, or 1 for stderr.`, {
      details: { origin },
      cause,
    });
  };
  const isLimited = context.settings.values.python.sandbox !== "off";
  const link = isLimited ? linkWithin(writablePlaces(context), path) : null;
  if (link !== null) refuse(`${link} is a link, and code in a sandbox may have made it`);
  const open = isLimited ? openerWithoutLinks(path) : () => openSync(path, flags, mode);
  const append = (line: string): void => {
    const file = open();
    try {
      writeSync(file, line);
    } finally {
      closeSync(file);
    }
  };
  try {
    append("");
  } catch (error) {
    refuse(systemReason(error), error);
  }
  return (line) => {
    try {
      append(line);
    } catch {
      // A full disk must not end the kernel that is being traced.
    }
  };
}

const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND;
const mode = 0o600;

/** For the place that the path has now: code in a sandbox may put links in the file's place, and in those of folders above it. */
function openerWithoutLinks(path: string): () => number {
  let file = resolve(path);
  try {
    file = join(realpathSync(dirname(file)), basename(file));
  } catch {
    // The first attempt to open it reports the reason.
  }
  return () => openWithoutLinks(file, flags, mode);
}

function secretsIn(env: Environment): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && (looksSecret(name) || holdsLogin(value)) ? [value] : [],
  );
}
