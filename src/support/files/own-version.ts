import { readFile } from "node:fs/promises";
import { packageFile } from "./package-file.ts";

/** The version of the package that contains this program. */
export async function ownVersion(): Promise<string> {
  const text = await readFile(packageFile("package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
