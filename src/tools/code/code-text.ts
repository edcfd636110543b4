import { sayCount } from "../../output/text/say-size.ts";

/** What the text of a result tells of one cell that ran. */
interface CellText {
  readonly title: string | null;
  readonly output: string;
  /** What earlier cells, or what they have left running, printed before this one began. */
  readonly background: string;
  readonly pictures: number;
  /** Whether there is a sentence about why it did not even begin. */
  readonly couldNotRun: boolean;
}

export interface CodeText {
  /** Those that were run, in order. */
  readonly cells: readonly CellText[];
  /** How many were asked for. */
  readonly of: number;
  /** Which one did not succeed, and what that means; null when all did. */
  readonly message: string | null;
  readonly notices: readonly string[];
  /** What stands for a cell that has put out nothing. */
  readonly nothing?: string | undefined;
}

/** A call of `python` or `eval`, as a model reads it: the verdict, the outputs, the notes. `docs/tools.md` has the form. */
export function codeText({ cells, of, message, notices, nothing = "(no output)" }: CodeText): string {
  const withHeaders = of > 1 || cells.some(({ background }) => background !== "");
  const outputs = cells.map((cell, index) => cellText(cell, withHeaders ? header(cell, index + 1, of) : "", nothing));
  const parts = [
    message === null ? "" : `Error: ${message}`,
    outputs.filter((text) => text !== "").join("\n"),
    notices.map((notice) => `Note: ${notice}`).join("\n"),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function cellText(cell: CellText, header: string, nothing: string): string {
  const background = cell.background === "" ? "" : `[printed since the cell before]\n${lines(cell.background)}`;
  return [background, header, contentOf(cell, nothing)].filter((part) => part !== "").join("\n");
}

/** `[cell 2/3: Load the data]` */
function header({ title }: CellText, number: number, of: number): string {
  return `[cell ${number}/${of}${title === null ? "" : `: ${title}`}]`;
}

function contentOf({ output, pictures, couldNotRun }: CellText, nothing: string): string {
  if (output !== "") return lines(output);
  if (pictures > 0) return `(${sayCount(pictures, "picture")})`;
  return couldNotRun ? "" : nothing;
}

function lines(text: string): string {
  return text.replace(/\n$/, "");
}
