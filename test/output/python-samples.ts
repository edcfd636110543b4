import { execFileSync } from "node:child_process";
import { inRepository } from "../../scripts/repository.mjs";
import { environment } from "../environment/pythons.ts";

const main = environment("main");

/** To be skipped where the packages could not be installed. */
export const withoutPackages = "missing" in main;

/** Runs a script of this folder, in one process, and gives the JSON that it prints. */
export function samples<T>(script: string, python = "python" in main ? main.python : ""): T {
  const options = { encoding: "utf8", maxBuffer: 256 * 1024 * 1024 } as const;
  return JSON.parse(execFileSync(python, [inRepository(`test/output/${script}`)], options));
}
