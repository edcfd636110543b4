/** The parsed first line of a frame. */
export interface FrameStart {
  readonly style: "python" | "ipython";
  /** The prefix of every line of a group's members: `  | `. */
  readonly margin: string;
  readonly file: string;
  readonly line: number | null;
  readonly function: string | null;
}

/** Null if the line does not begin a frame. */
export function frameStart(line: string): FrameStart | null {
  const python = /^((?: *\| )?) {2}File "(.+)", line (\d+)(?:, in (.*))?$/.exec(line);
  if (python) {
    const [, margin = "", file = "", number = "", name] = python;
    return { style: "python", margin, file, line: Number(number), function: name ?? null };
  }
  const syntaxError = /^ {2}(?:(Cell In ?\[\d+\]), line |File ([^"].*):)(\d+)$/.exec(line);
  if (syntaxError) {
    const [, cell, path = "", number = ""] = syntaxError;
    return { style: "python", margin: "", file: cell ?? path, line: Number(number), function: null };
  }
  for (const pattern of ipythonStarts) {
    const groups = pattern.exec(line)?.groups;
    if (!groups) continue;
    const { file = "", line: number, function: name } = groups;
    return {
      style: "ipython",
      margin: "",
      file,
      line: number ? Number(number) : null,
      function: withoutArguments(name),
    };
  }
  return null;
}

const ipythonStarts = [
  // IPython 8 and later; without a function where the code is the module's own.
  /^(?<file>Cell In ?\[\d+\]), line (?<line>\d+)(?:, in (?<function>.+))?$/,
  /^File (?<file>[^"].*?):(?<line>\d+)(?:, in (?<function>.+))?$/,
  // IPython 8.0
  /^(?<file>Input In \[\d+\]), in (?<function>.+)$/,
  // IPython 7
  /^(?<file><ipython-input-[^>]+>|[~./][^\n]*?\.py[xi]?) in (?<function>.+)$/,
];

/** Whether a following line belongs to the frame: its code, marks below it, or a number of repetitions. */
export function isFrameBody(line: string, { style, margin }: FrameStart): boolean {
  if (style === "ipython") return line === "" || /^(?:-+>\s*|\s+)(?:\d+\b|\(\.\.\.\))/.test(line);
  if (!line.startsWith(margin)) return false;
  const rest = line.slice(margin.length);
  return rest.startsWith("    ") || rest.startsWith("  [Previous line repeated ");
}

/** `loads(s, cls)` → `loads`; the arguments are in the text. */
function withoutArguments(name: string | undefined): string | null {
  return name === undefined ? null : name.replace(/\(.*$/s, "");
}
