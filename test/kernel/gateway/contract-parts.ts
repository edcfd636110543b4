import { execFileSync } from "node:child_process";
import type { Part } from "../kernel-contract.ts";

/** All but "forks": a child that forks off ipykernel is a second kernel on the same sockets. */
export const contractParts: readonly Part[] = [
  "life cycle",
  "output",
  "results",
  "errors",
  "warnings",
  "await",
  "display",
  "figures and tables",
  "interrupts",
  "stubborn cells",
  "input",
  "death",
  "children",
  "main module",
  "hostile cells",
  "hostile sources",
  "completion",
];

export function versionOf(python: string): string {
  const ask = "import platform; print(platform.python_version())";
  return execFileSync(python, ["-c", ask], { encoding: "utf8" }).trim();
}
