import { readFileSync } from "node:fs";
import { packageFile } from "./package-file.ts";

/** The version of the package that contains this program. */
export async function ownVersion(): Promise<string> {
  // Synchronous: a short command loads less of Node.
  const text = readFileSync(packageFile("package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
