import { existsSync } from "node:fs";
import { delimiter } from "node:path";

const folders = [
  ...["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin"],
  // NixOS, Guix, Termux
  ...["/run/current-system/sw/bin", "/run/current-system/profile/bin", "/data/data/com.termux/files/usr/bin"],
] as const;
const found = new Map<string, string>();

/**
 * The path of a program of the system, also where there is none. A name alone could find another one: an activated environment of a
 * project is on PATH, and code in a sandbox may write there.
 */
export function systemProgram(name: string): string {
  const places = folders.map((folder) => `${folder}/${name}`);
  const path = found.get(name) ?? places.find((each) => existsSync(each)) ?? `${folders[0]}/${name}`;
  found.set(name, path);
  return path;
}

/** The environment of such a program: the user's own may name libraries and programs in a folder that code in a sandbox may write. */
export const systemEnvironment: Readonly<Record<string, string>> = { PATH: folders.join(delimiter), LC_ALL: "C" };
