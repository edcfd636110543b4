import { pythonLiteral } from "../../../python/python-literal.ts";
import type { ExecuteOptions, ReadersTerminal } from "../../kernel.ts";

export interface Preparation extends Pick<ExecuteOptions, "cwd" | "env"> {
  /** Null when output is no longer read on a terminal; absent when nothing has changed. */
  readonly terminal?: ReadersTerminal | null | undefined;
}

/** Python code, run before a cell, that sets what the cell was given; null when it was given nothing. Leaves no name behind. */
export function preparation({ cwd, env = {}, terminal }: Preparation): string | null {
  const set = Object.entries(env).filter(([, value]) => value !== null);
  const removed = Object.keys(env).filter((name) => env[name] === null);
  const steps = [
    ...(cwd === undefined ? [] : [`os.chdir(${literal(cwd)})`]),
    ...set.map(([name, value]) => `os.environ.update({${literal(name)}: ${literal(value as string)}})`),
    ...removed.map((name) => `os.environ.pop(${literal(name)}, None)`),
    ...(terminal === undefined ? [] : [`exec(${literal(telling(terminal))}, {})`]),
  ];
  return steps.length === 0 ? null : `(lambda os: (${steps.join(", ")},))(__import__("os"))`;
}

/** The prelude has brought a module for it; a kernel that was there before us may be somebody else's, and is left alone. */
function telling(terminal: ReadersTerminal | null): string {
  const told = terminal === null ? "None" : `${terminal.columns}, ${terminal.colors}`;
  return [
    "try:",
    "    from granary_prelude import terminal",
    "except ImportError:",
    "    pass",
    "else:",
    `    terminal.tell_on_import(); terminal.use(${told})`,
  ].join("\n");
}

/** Half a surrogate pair is no text that an environment could have. */
function literal(text: string): string {
  return pythonLiteral(Buffer.from(text).toString());
}
