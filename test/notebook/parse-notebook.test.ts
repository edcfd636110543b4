import { describe, expect, test } from "vitest";
import { notebookBytes, notebookMetadata } from "../../src/notebook/notebook.ts";
import { parseNotebook } from "../../src/notebook/parse/parse-notebook.ts";
import { code, fixture, fixtures, notebookOf, sources } from "./notebooks.ts";

describe("reading a notebook's bytes", () => {
  test.each(fixtures)("loses none of them: %s", (name) => {
    const bytes = fixture(name);
    expect(notebookBytes(parseNotebook(bytes)).equals(bytes)).toBe(true);
  });

  test("finds cells with their source, id, metadata and outputs", () => {
    const [title, setUp, reading] = parseNotebook(fixture("jupyterlab-4.5")).cells;
    expect(title).toMatchObject({
      type: "markdown",
      id: "title",
      hasOutputs: false,
      executionCount: null,
      outputs: [],
    });
    expect(title?.source).toBe("# Weather\n\nTemperatures in °C, see `data/`.");
    expect(setUp).toMatchObject({ type: "code", tags: ["parameters"], executionCount: 1, hasOutputs: false });
    expect(reading?.outputs).toMatchObject([
      { name: "stdout" },
      { data: { "application/json": { mean: Number.NaN } } },
    ]);
  });

  test("uses the last of two equal keys", () => {
    const text = '{"cells": [1], "metadata": {}, "cells": [{"cell_type": "raw", "cell_type": "code", "source": "x"}]}';
    const notebook = parseNotebook(Buffer.from(text));
    expect(notebook.cells[0]?.type).toBe("code");
    expect(notebookBytes(notebook).toString()).toBe(text);
  });

  test("accepts depth in parts that are not read", () => {
    const deep = "[".repeat(50_000) + "]".repeat(50_000);
    const text = `{"metadata": {"deep": ${deep}}, "cells": [], "nbformat": 4, "nbformat_minor": 5}`;
    expect(notebookBytes(parseNotebook(Buffer.from(text))).toString()).toBe(text);
  });

  test("reads a notebook's own metadata", () => {
    expect(notebookMetadata(parseNotebook(fixture("by-hand-4.5")))).toEqual({
      scale: -0,
      limit: Number.POSITIVE_INFINITY,
      2: 2,
      10: 1,
    });
    expect(sources(notebookOf([code("a\nb")]))).toEqual(["a\nb"]);
  });
});

describe("an invalid notebook is refused", () => {
  test.each([
    [
      "damaged JSON",
      '{\n "cells": [\n  {"é": 1,}\n ]\n}',
      "invalid-json",
      "not valid JSON at line 3, column 11: expected a property name",
    ],
    ["an empty file", "", "invalid-json", "not valid JSON at line 1, column 1: the text ends too early"],
    ["half a file", '{"cells": [{"source": "abc', "invalid-json", "line 1, column 23: this string is never closed"],
    [
      "two documents",
      '{"cells": []}\n{"cells": []}',
      "invalid-json",
      "line 2, column 1: there is more text after the end",
    ],
    ["a list", "[]", "not-a-notebook", "it has to be a JSON object"],
    ["other JSON", '{"name": "granary"}', "missing-cells", 'x.ipynb is not a notebook: it has no "cells".'],
    ["cells that are not a list", '{"cells": {}}', "cells-not-array", 'its "cells" have to be a list'],
    [
      "a cell that is not an object",
      '{"cells": [{"cell_type": "code"}, 7]}',
      "invalid-cell",
      "Cell 1 of x.ipynb is not an object.",
    ],
    [
      "a cell without a type",
      '{"cells": [{"source": ""}]}',
      "invalid-cell-type",
      'Cell 0 of x.ipynb has no "cell_type"',
    ],
    ["a type that is not text", '{"cells": [{"cell_type": null}]}', "invalid-cell-type", "has the type null"],
    [
      "a source that is not text",
      '{"cells": [{"cell_type": "code", "source": ["a", 1]}]}',
      "invalid-source",
      "neither text nor a list of lines",
    ],
    [
      "nbformat 1",
      '{"nbformat": 1, "cells": []}',
      "unsupported-version",
      "Upgrade it with: jupyter nbconvert --to notebook --inplace",
    ],
    ["nbformat 5", '{"nbformat": 5, "cells": []}', "unsupported-version", "newer than this Granary"],
  ])("%s", (_what, text, code, message) => {
    const reading = () => parseNotebook(Buffer.from(text), "x.ipynb");
    expect(reading).toThrow(expect.objectContaining({ name: "GranaryError", code }));
    expect(reading).toThrow(message);
  });

  test("text that is not UTF-8, with its line", () => {
    const latin1 = Buffer.from('{\n "cells": ["\xe9"]\n}', "latin1");
    expect(() => parseNotebook(latin1, "x.ipynb")).toThrow("x.ipynb is not valid JSON: line 2 is not UTF-8.");
  });
});
