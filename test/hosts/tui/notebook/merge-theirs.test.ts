import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type KeyedNotebook, withKeys } from "../../../../src/hosts/tui/notebook/document/keyed-notebook.ts";
import { mergeTheirs } from "../../../../src/hosts/tui/notebook/document/merge-theirs.ts";
import type { NotebookEdit } from "../../../../src/notebook/edit/edit-action.ts";
import { editNotebook } from "../../../../src/notebook/edit/edit-notebook.ts";
import { withOutputs } from "../../../../src/notebook/edit/write-outputs.ts";
import { type Notebook, notebookBytes } from "../../../../src/notebook/notebook.ts";
import { code, notebookOf, sources } from "../../../notebook/notebooks.ts";

const three = ["a", "b", "c"].map((source) => code(source, { id: `id-${source}` }));
const base = withKeys(notebookOf(three, 5));
const edited = (...edits: NotebookEdit[]): Notebook => editNotebook(base.notebook, edits).notebook;
const ours = (notebook: Notebook, keys = base.keys): KeyedNotebook => ({ notebook, keys });

describe("another program's save", () => {
  test("is taken unchanged when there are no edits here", () => {
    const theirs = edited({ action: "edit", cell: 1, content: "their b" });
    const merged = mergeTheirs(base, base, theirs);
    expect(notebookBytes(merged.notebook)).toEqual(notebookBytes(theirs));
    expect(merged.keys).toEqual(base.keys);
  });

  test("stays beside edits of other cells", () => {
    const mine = edited({ action: "edit", cell: 0, content: "my a" });
    const theirs = edited({ action: "edit", cell: 2, content: "their c" }, { action: "insert", at: 0, content: "new" });
    const merged = mergeTheirs(base, ours(mine), theirs);
    expect(sources(merged.notebook)).toEqual(["new", "my a", "b", "their c"]);
    expect(merged.rewrittenByBoth).toEqual([]);
  });

  test("stays beside an edit of the same cell, which becomes a separate cell", () => {
    const mine = edited({ action: "edit", cell: 1, content: "my b" });
    const theirs = edited({ action: "edit", cell: 1, content: "their b" });
    const merged = mergeTheirs(base, ours(mine), theirs);
    expect(sources(merged.notebook)).toEqual(["a", "their b", "my b", "c"]);
    expect(merged.rewrittenByBoth).toEqual([base.keys[1]]);
    expect(merged.keys.indexOf(base.keys[1] ?? 0)).toBe(2);
    expect(new Set(merged.notebook.cells.map(({ id }) => id)).size).toBe(4);
  });

  test("does not bring back deleted cells, unless it has changed them", () => {
    const mine = ours(edited({ action: "delete", cell: 0 }, { action: "delete", cell: 0 }), base.keys.slice(2));
    const theirs = edited({ action: "edit", cell: 1, content: "their b" });
    expect(sources(mergeTheirs(base, mine, theirs).notebook)).toEqual(["their b", "c"]);
  });

  test("cannot remove text written here", () => {
    const mine = ours(edited({ action: "edit", cell: 1, content: "my b" }));
    const theirs = edited({ action: "delete", cell: 1 });
    expect(sources(mergeTheirs(base, mine, theirs).notebook)).toEqual(["a", "my b", "c"]);
  });

  test("gets the outputs of cells that were run here", () => {
    const outputs = [{ output_type: "stream", name: "stdout", text: "out" } as const];
    const mine = ours(withOutputs(base.notebook, 1, { outputs, executionCount: 7 }));
    const theirs = edited({ action: "move", cell: 1, to: 0 }, { action: "edit", cell: 2, content: "their c" });
    const { notebook } = mergeTheirs(base, mine, theirs);
    expect(sources(notebook)).toEqual(["b", "a", "their c"]);
    expect(notebook.cells[0]).toMatchObject({ executionCount: 7, hasOutputs: true });
  });

  test("is matched without ids", () => {
    const old = withKeys(notebookOf(["a", "b"].map((source) => code(source))));
    const mine = editNotebook(old.notebook, [{ action: "edit", cell: 0, content: "my a" }]).notebook;
    const theirs = editNotebook(old.notebook, [{ action: "insert", at: 1, content: "new" }]).notebook;
    const merged = mergeTheirs(old, { notebook: mine, keys: old.keys }, theirs);
    expect(sources(merged.notebook)).toEqual(["my a", "new", "b"]);
  });
});

test("after any edits on both sides, no text of either is lost", () => {
  const change = fc.array(
    fc.record({ at: fc.nat(4), what: fc.constantFrom("rewrite", "insert", "delete", "move"), to: fc.nat(4) }),
    { maxLength: 4 },
  );
  const apply = (start: KeyedNotebook, changes: fc.Arbitrary<never> | readonly ChangeStep[], who: string) => {
    let { notebook, keys } = start;
    const written: string[] = [];
    for (const [step, { at, what, to }] of (changes as readonly ChangeStep[]).entries()) {
      const { length } = notebook.cells;
      const cell = at % Math.max(1, length);
      const content = `${who} ${step}`;
      if (what === "insert" || length === 0) {
        notebook = editNotebook(notebook, [{ action: "insert", at: cell, content }]).notebook;
        keys = keys.toSpliced(cell, 0, 1_000_000 + written.length + (who === "mine" ? 0 : 1000));
        written.push(content);
      } else if (what === "rewrite") {
        notebook = editNotebook(notebook, [{ action: "edit", cell, content }]).notebook;
        written.push(content);
      } else if (what === "delete") {
        notebook = editNotebook(notebook, [{ action: "delete", cell }]).notebook;
        keys = keys.toSpliced(cell, 1);
      } else {
        const place = to % length;
        notebook = editNotebook(notebook, [{ action: "move", cell, to: place }]).notebook;
        keys = keys.toSpliced(cell, 1).toSpliced(place, 0, keys[cell] as number);
      }
    }
    return { notebook, keys };
  };
  fc.assert(
    fc.property(change, change, (mine, theirs) => {
      const here = apply(base, mine, "mine");
      const there = apply(base, theirs, "theirs");
      const merged = mergeTheirs(base, here, there.notebook);
      const all = sources(merged.notebook);
      const isNew = (source: string) => !["a", "b", "c"].includes(source);
      for (const source of [...sources(here.notebook), ...sources(there.notebook)].filter(isNew)) {
        expect(all).toContain(source);
      }
      expect(merged.keys).toHaveLength(all.length);
      expect(new Set(merged.keys).size).toBe(all.length);
      expect(new Set(merged.notebook.cells.map(({ id }) => id)).size).toBe(all.length);
    }),
  );
});

interface ChangeStep {
  readonly at: number;
  readonly what: string;
  readonly to: number;
}
