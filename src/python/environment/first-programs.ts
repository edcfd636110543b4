import { delimiter, dirname, join, resolve } from "node:path";
import type { Interpreter } from "../interpreter.ts";

export type ChosenPython = Pick<Interpreter, "virtualEnvironment" | "condaEnvironment"> & Partial<Interpreter>;

/**
 * The folder to put first on PATH; null for none.
 * @param path as the user has it
 * @param hidesShims whether the shim on it that named this Python is not there, so that `python` would be another one
 */
export function firstPrograms(
  { virtualEnvironment, condaEnvironment, executable, source }: ChosenPython,
  path: string | undefined,
  hidesShims: boolean,
): string | null {
  const environment = virtualEnvironment ?? condaEnvironment;
  if (environment !== null) return join(environment, "bin");
  if (!hidesShims || source !== "PATH" || executable === undefined) return null;
  const folder = dirname(executable);
  const isOnPath = path?.split(delimiter).some((entry) => resolve(entry) === folder) ?? false;
  return isOnPath ? null : folder;
}
