import type { NotebookCell } from "../../../notebook/cell.ts";
import { isJsonObject } from "../../../support/json/parse.ts";

/** A cell's own wishes for verification. */
export interface VerifyMarks {
  /** The cell does not run. */
  readonly skips: boolean;
  /** The cell runs, and its outputs are not compared. */
  readonly ignoresOutput: boolean;
  /** Text in its outputs that may differ. */
  readonly ignore: readonly RegExp[];
}

/**
 * Tags and comments as nbval knows them (`nbval-skip`, `# NBVAL_IGNORE_OUTPUT`), and `granary.verify` in the cell's
 * metadata: `"skip"`, `"ignore-output"` or `{ "ignore": ["regular expression"] }`.
 */
export function verifyMarks({ tags, source, metadata }: NotebookCell): VerifyMarks {
  const { granary } = metadata;
  const own = isJsonObject(granary) ? granary.verify : undefined;
  const isMarked = (name: string) => {
    const comment = `# NBVAL_${name.toUpperCase().replaceAll("-", "_")}`;
    return (
      own === name || tags.includes(`nbval-${name}`) || source.split("\n").some((line) => line.startsWith(comment))
    );
  };
  const patterns = isJsonObject(own) && Array.isArray(own.ignore) ? own.ignore : [];
  return {
    skips: isMarked("skip"),
    ignoresOutput: isMarked("ignore-output"),
    ignore: patterns.flatMap((pattern) => (typeof pattern === "string" ? compiled(pattern) : [])),
  };
}

/** An invalid one matches nothing. */
function compiled(pattern: string): readonly RegExp[] {
  try {
    return [new RegExp(pattern, "gu")];
  } catch {
    return [];
  }
}
