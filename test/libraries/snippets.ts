import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A library and how people typically use it in a cell. */
export interface Snippet {
  /** The name on PyPI. */
  readonly library: string;
  readonly code: string;
  /** Text that may differ from run to run, besides what `granary notebook verify` knows. */
  readonly ignore: readonly string[];
  /** Why the runner shows something else than Jupyter; null where both have to show the same. */
  readonly differs: string | null;
}

/** All of `snippets/*.py`: `# %% LIBRARY`, then perhaps `# ignore: REGEX` and `# differs: REASON`, then the code. */
export function readSnippets(): readonly Snippet[] {
  const folder = join(import.meta.dirname, "snippets");
  const files = readdirSync(folder).sort();
  return files.flatMap((file) => parseSnippets(readFileSync(join(folder, file), "utf8")));
}

export function parseSnippets(text: string): readonly Snippet[] {
  const parts = text.split(/^# %% /m);
  if (parts[0]?.trim() !== "") throw new Error(`A file of snippets begins with "# %% LIBRARY", not with: ${parts[0]}`);
  return parts.slice(1).map((part) => {
    const [library = "", ...lines] = part.trimEnd().split("\n");
    const marked = (mark: string) => lines.flatMap((line) => (line.startsWith(mark) ? [line.slice(mark.length)] : []));
    const code = lines.filter((line) => !line.startsWith(ignoreMark) && !line.startsWith(differsMark)).join("\n");
    return { library, code, ignore: marked(ignoreMark), differs: marked(differsMark)[0] ?? null };
  });
}

const ignoreMark = "# ignore: ";
const differsMark = "# differs: ";
