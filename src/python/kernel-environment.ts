import { delimiter, join } from "node:path";
import type { Environment, Interpreter } from "./interpreter.ts";

/** Variables that make Python slow or make it another Python than the chosen one. */
const dropped = [
  // One system call per print: eight times slower.
  "PYTHONUNBUFFERED",
  "PYTHONHOME",
  // macOS: tells a framework Python that it is the one which started us.
  "__PYVENV_LAUNCHER__",
];

/** The environment a kernel on this interpreter starts with. */
export function kernelEnvironment(env: Environment, interpreter: Interpreter): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !dropped.includes(entry[0]),
  );
  const result = Object.fromEntries(kept);
  const { virtualEnvironment } = interpreter;
  // pip, uv and child processes believe VIRTUAL_ENV, so it must not name another environment than ours.
  delete result.VIRTUAL_ENV;
  if (virtualEnvironment !== null) {
    result.VIRTUAL_ENV = virtualEnvironment;
    const programs = join(virtualEnvironment, "bin");
    result.PATH = [programs, ...pathEntries(env).filter((entry) => entry !== programs)].join(delimiter);
  }
  return result;
}

function pathEntries(env: Environment): readonly string[] {
  return env.PATH ? env.PATH.split(delimiter) : [];
}
