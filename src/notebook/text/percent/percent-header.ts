export interface PercentHeader {
  /** The notebook's first cell, a raw one, if the header has it. */
  readonly rawCell: string | null;
  /** The text after the header. */
  readonly rest: readonly string[];
}

/**
 * The comments at the very top of a script: a shebang, an encoding, and `# ---` … `# ---`. The latter has a section about
 * jupytext itself; everything else in it was the notebook's first cell, a raw one between the same dashes.
 */
export function readHeader(lines: readonly string[]): PercentHeader {
  const start = Math.max(
    0,
    lines.findIndex((line) => !/^#(!| -\*-)/.test(line)),
  );
  const withoutHeader = { rawCell: null, rest: lines.slice(start) };
  if (!isDashes(lines[start])) return withoutHeader;
  const length = lines.slice(start + 1).findIndex((line) => isDashes(line) || !line.startsWith("#"));
  const end = start + 1 + length;
  if (length === -1 || !isDashes(lines[end])) return withoutHeader;
  const content = lines.slice(start + 1, end).map((line) => line.replace(/^# ?/, ""));
  const others = withoutJupyter(content);
  const rawCell = others.length === 0 ? null : ["---", ...others, "---"].join("\n");
  const isSpaced = lines[end + 1]?.trim() === "";
  return { rawCell, rest: lines.slice(end + (isSpaced ? 2 : 1)) };
}

function isDashes(line: string | undefined): boolean {
  return line !== undefined && /^# ?---\s*$/.test(line);
}

/** Without the YAML member `jupyter` and everything indented below it. */
function withoutJupyter(content: readonly string[]): string[] {
  let isInside = false;
  return content.filter((line) => {
    if (/^jupyter\s*:\s*$/.test(line)) isInside = true;
    else if (/^\S/.test(line)) isInside = false;
    return !isInside;
  });
}
