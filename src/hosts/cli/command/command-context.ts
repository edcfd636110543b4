import { isAbsolute, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { isatty } from "node:tty";
import type { LoadBackend } from "../../../runtime/backend/load-backend.ts";
import type { Environment } from "../../../support/environment.ts";
import { UsageError } from "./usage-error.ts";

/** Everything outside the program that a command touches, so that tests can replace it. */
export interface CommandContext {
  readonly env: Environment;
  readonly cwd: string;
  readonly stdin: Readable & { setRawMode?(raw: boolean): void };
  /** Terminals have a size. */
  readonly stdout: Writable & { readonly columns?: number; readonly rows?: number };
  readonly stderr: Writable & { readonly columns?: number; readonly rows?: number };
  isTerminal(stream: "stdin" | "stdout" | "stderr"): boolean;
  /** Calls the listener on every signal of that name; the returned function removes the listener. */
  onSignal(name: NodeJS.Signals, listener: () => void): () => void;
  /** Ends the program now. */
  exit(code: number): void;
  readonly loadBackend: LoadBackend;
}

const descriptors = { stdin: 0, stdout: 1, stderr: 2 } as const;

export const processContext: CommandContext = {
  env: process.env,
  get cwd() {
    return workingFolder();
  },
  // Getters, because Node creates each of these on first access, which takes time.
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return process.stdout;
  },
  get stderr() {
    return process.stderr;
  },
  isTerminal: (stream) => isatty(descriptors[stream]),
  onSignal(name, listener) {
    process.on(name, listener);
    return () => process.off(name, listener);
  },
  exit: (code) => process.exit(code),
  loadBackend: async (settings, options) => {
    const { loadBackend } = await import("../../../runtime/backend/load-backend.ts");
    return loadBackend(settings, options);
  },
};

function workingFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new UsageError("The current folder no longer exists. Change to another one: cd ~");
  }
}

/** A typed path, relative to the current folder. An absolute path works even when that folder is gone. */
export function typedPath(typed: string, context: Pick<CommandContext, "cwd">): string {
  return isAbsolute(typed) ? resolve(typed) : resolve(context.cwd, typed);
}
