import { resolve } from "node:path";

/** A word of an error message that may be a path. */
export interface NamedPath {
  readonly word: string;
  /** In the folder where the command began; it may have gone to another. */
  readonly path: string;
}

/** Quoted, as `rm: cannot remove 'a b'` has it, or between spaces and colons. */
const words = /'([^']+)'|"([^"]+)"|‘([^’]+)’|([^\s'"`‘’:,;()]+)/g;
/** `/usr/bin/bash: line 1: ` before the file, and not the file itself. */
const program = /^\S+: (?=.*: )/;
/** The rest of an address, behind its colon. */
const host = /^\/\/[^/]/;

const longestLine = 2000;

export function namedPaths(line: string, cwd: string): readonly NamedPath[] {
  const said = line.slice(0, longestLine).replace(program, "");
  const found = [...said.matchAll(words)].map(([, ...groups]) => groups.find((group) => group !== undefined) ?? "");
  return found.filter((word) => !host.test(word)).map((word) => ({ word, path: resolve(cwd, word) }));
}
