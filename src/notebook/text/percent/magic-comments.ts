import { StringTracker } from "./inside-strings.ts";

/**
 * A percent script is valid Python, so a cell's magics and commands are comments in it: `# %time x`. A real comment that
 * looks like one of them gets one more `# `, so that the two stay distinct.
 */
export function commentMagics(source: string): string {
  return eachLineOfCode(source, "after", (line) => line.replace(magicLine, "$1# $2"));
}

export function uncommentMagics(text: string): string {
  return eachLineOfCode(text, "before", (line) => line.replace(commentedMagicLine, "$1$2"));
}

const magic = String.raw`(?:# )*(?:%{1,2}[a-zA-Z]|!\S|\?{1,2}[\w.]+$|[\w.]+\?{1,2}$|[\w.]+ = [%!][a-zA-Z])`;
const magicLine = new RegExp(`^(\\s*)(${magic})`);
const commentedMagicLine = new RegExp(`^(\\s*)# (${magic})`);

/** Counts quotes as the script has them: those of a magic are in a comment there, and open no string. */
function eachLineOfCode(source: string, scriptIs: "before" | "after", change: (line: string) => string): string {
  const strings = new StringTracker();
  const lines = source.split("\n").map((line) => {
    const changed = strings.isInside ? line : change(line);
    strings.take(scriptIs === "before" ? line : changed);
    return changed;
  });
  return lines.join("\n");
}
