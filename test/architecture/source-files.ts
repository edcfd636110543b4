import { readdirSync } from "node:fs";
import { inRepository } from "../../scripts/repository.mjs";

/** The paths of all files of `src`, from there. */
export function sourceFiles(): string[] {
  return filesBelow("src").filter((file) => file.endsWith(".ts"));
}

/** @param folder its path inside of the repository */
export function filesBelow(folder: string): string[] {
  return readdirSync(inRepository(folder), { recursive: true, encoding: "utf8" }).sort();
}
