import { existsSync } from "node:fs";

const folders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin"];
const found = new Map<string, string>();

/**
 * The path of a program of the system. A name alone could find another one: an activated environment of a project is on PATH, and
 * code in a sandbox may write there.
 */
export function systemProgram(name: string): string {
  const path = found.get(name) ?? folders.map((folder) => `${folder}/${name}`).find((each) => existsSync(each)) ?? name;
  found.set(name, path);
  return path;
}
