import { ObjectText } from "../support/json/object-text.ts";
import { nbformatStyle } from "../support/json/style.ts";
import { writeJson } from "../support/json/write.ts";
import type { Notebook } from "./notebook.ts";

/** An empty notebook in nbformat 4.5, written as Python's nbformat would write it. */
export function newNotebook({ path }: { readonly path?: string } = {}): Notebook {
  const content = { cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 };
  return {
    before: Buffer.alloc(0),
    frame: ObjectText.of(writeJson(content, nbformatStyle, "")),
    cells: [],
    leads: [],
    end: Buffer.alloc(0),
    after: Buffer.from("\n"),
    style: nbformatStyle,
    origin: path === undefined ? null : { path, content: null },
  };
}
