import type { ExecuteOptions } from "../../kernel.ts";

/** Python code, run before a cell, that sets what the cell was given; null when it was given nothing. Leaves no name behind. */
export function preparation({ cwd, env = {} }: Pick<ExecuteOptions, "cwd" | "env">): string | null {
  const set = Object.entries(env).filter(([, value]) => value !== null);
  const removed = Object.keys(env).filter((name) => env[name] === null);
  const steps = [
    ...(cwd === undefined ? [] : [`os.chdir(${literal(cwd)})`]),
    ...set.map(([name, value]) => `os.environ.update({${literal(name)}: ${literal(value as string)}})`),
    ...removed.map((name) => `os.environ.pop(${literal(name)}, None)`),
  ];
  return steps.length === 0 ? null : `(lambda os: (${steps.join(", ")},))(__import__("os"))`;
}

/** A JSON string of ASCII, in which surrogate pairs are put together again, is a Python string. */
function literal(text: string): string {
  const json = JSON.stringify(text).replace(/[\u007f-\uffff]/g, (unit) => escaped(unit));
  return /\\ud[89ab]/i.test(json) ? `${json}.encode("utf-16", "surrogatepass").decode("utf-16", "replace")` : json;
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
