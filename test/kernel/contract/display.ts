import type { MimeBundle } from "../../../src/kernel/events.ts";
import { type DisplayEvent, run } from "../collect.ts";
import { describe, expect } from "../harness.ts";
import type { Contract } from "../kernel-contract.ts";
import { py } from "../py.ts";

export function describeDisplay({ test }: Contract): void {
  describe("display", () => {
    test("display of several objects shows each, in order", async (kernel) => {
      const { displays, result } = await run(kernel, "display(1, 'two', [3])");
      expect(texts(displays)).toEqual(["1", "'two'", "[3]"]);
      expect(displays.every((event) => !event.update)).toBe(true);
      expect(result).toBe(undefined);
    });

    test("a display with a display_id can be updated, also from a later cell", async (kernel) => {
      const first = await run(kernel, "handle = display('before', display_id='progress')\nhandle.update('after')");
      expect(first.displays.map(({ displayId, update }) => ({ displayId, update }))).toEqual([
        { displayId: "progress", update: false },
        { displayId: "progress", update: true },
      ]);
      const later = await run(
        kernel,
        "from IPython.display import update_display\nupdate_display('later', display_id='progress')",
      );
      expect(later.displays).toMatchObject([
        { displayId: "progress", update: true, data: { "text/plain": "'later'" } },
      ]);
    });

    test("display_id=True makes a new id each time", async (kernel) => {
      const { displays } = await run(
        kernel,
        "a = display(1, display_id=True)\nb = display(2, display_id=True)\na.update(3)",
      );
      const [a, b, updated] = displays.map((event) => event.displayId);
      expect(typeof a).toBe("string");
      expect(a === b).toBe(false);
      expect(updated).toBe(a);
    });

    test("clear_output is reported, with and without waiting for the next output", async (kernel) => {
      const cell =
        "from IPython.display import clear_output\nprint('old')\nclear_output()\nclear_output(wait=True)\nprint('new')";
      const { events } = await run(kernel, cell);
      // ipykernel sends output five times a second, also in the middle of a line.
      const told = events.map((event) => {
        if (event.type === "stream") return event.text;
        return event.type === "clear" ? `<clear ${event.wait}>` : "";
      });
      expect(told.join("")).toBe("old\n<clear false><clear true>new\n");
    });

    test("the classes of IPython.display show their content", async (kernel) => {
      const cell = py`
        from IPython.display import HTML, Markdown, JSON, SVG, Latex, display
        display(HTML("<b>x</b>"), Markdown("**x**"), JSON({"a": [1]}), SVG("<svg></svg>"), Latex("$x$"))
      `;
      const { displays, error } = await run(kernel, cell);
      expect(error).toBe(undefined);
      expect(displays[0]?.data["text/html"]).toBe("<b>x</b>");
      expect(displays[1]?.data["text/markdown"]).toBe("**x**");
      expect(displays[2]?.data["application/json"]).toEqual({ a: [1] });
      expect(displays[3]?.data["image/svg+xml"]).toContain("<svg");
      expect(displays[4]?.data["text/latex"]).toBe("$x$");
    });

    test("an object with _repr_mimebundle_ decides for itself, as result and in display", async (kernel) => {
      const cell = py`
        class Rich:
            def _repr_mimebundle_(self, include=None, exclude=None):
                return {"text/plain": "plain", "application/vnd.own+json": {"deep": [1, None, "x"]}}, {"application/vnd.own+json": {"a": 1}}
        display(Rich())
        Rich()
      `;
      const { displays, result, events } = await run(kernel, cell);
      const data = { "text/plain": "plain", "application/vnd.own+json": { deep: [1, null, "x"] } };
      const metadata = { "application/vnd.own+json": { a: 1 } };
      expect(displays).toMatchObject([{ data, metadata }]);
      expect(result).toEqual(data);
      expect(events.find((event) => event.type === "result")?.metadata).toEqual(metadata);
    });

    test("every method of the _repr_*_ family gives its MIME type, beside the plain text", async (kernel) => {
      const cell = py`
        class Everything:
            def __repr__(self): return "plain"
            def _repr_html_(self): return "<i>html</i>"
            def _repr_markdown_(self): return "*markdown*"
            def _repr_svg_(self): return "<svg/>"
            def _repr_png_(self): return b"\x89PNG"
            def _repr_jpeg_(self): return b"\xff\xd8"
            def _repr_latex_(self): return "$latex$"
            def _repr_json_(self): return {"json": True}
            def _repr_javascript_(self): return "script()"
            def _repr_pdf_(self): return b"%PDF"
        Everything()
      `;
      const { result } = await run(kernel, cell);
      expect(trimmed(result)).toEqual({
        "text/plain": "plain",
        "text/html": "<i>html</i>",
        "text/markdown": "*markdown*",
        "image/svg+xml": "<svg/>",
        "image/png": "iVBORw==",
        "image/jpeg": "/9g=",
        "text/latex": "$latex$",
        "application/json": { json: true },
        "application/javascript": "script()",
        "application/pdf": "JVBERg==",
      });
    });

    test("an object with _ipython_display_ shows itself and has no other result", async (kernel) => {
      const cell = "class Own:\n    def _ipython_display_(self): print('my way')\nOwn()";
      const { stdout, result, displays } = await run(kernel, cell);
      expect(stdout).toBe("my way\n");
      expect({ result, displays }).toEqual({ result: undefined, displays: [] });
    });

    test("a result with one form that fails shows its others, and fails the cell with the traceback", async (kernel) => {
      const define = py`
        class NoHtml:
            def __repr__(self): return "still here"
            def _repr_html_(self): raise ValueError("no html today")
        class NoText:
            def __repr__(self): raise ValueError("no text today")
            def _repr_html_(self): return "<b>still here</b>"
        class NoBundle:
            def __repr__(self): return "still here"
            def _repr_mimebundle_(self, include=None, exclude=None): raise ValueError("no bundle today")
        class NoWay:
            def __repr__(self): return "still here"
            def _ipython_display_(self): raise ValueError("no way today")
      `;
      await run(kernel, define);
      const shown = { NoHtml: "text/plain", NoText: "text/html", NoBundle: "text/plain", NoWay: "text/plain" };
      for (const [name, mime] of Object.entries(shown)) {
        const { outcome, result, error } = await run(kernel, `${name}()`);
        expect(outcome).toBe("error");
        expect(Object.keys(result ?? {})).toEqual([mime]);
        expect(result?.[mime]).toContain("still here");
        expect(error?.message).toMatch(/^no \w+ today$/);
        expect(error?.traceback).toContain("raise ValueError(");
      }
    });

    test("display of something with nothing to show fails the cell, which still runs to its end", async (kernel) => {
      const cell = py`
        class Mute:
            def __repr__(self): raise ValueError("no words")
        display(1, Mute(), 2)
        print("after")
      `;
      const { outcome, error, displays, stdout } = await run(kernel, cell);
      expect({ outcome, name: error?.name, stdout }).toEqual({
        outcome: "error",
        name: "ValueError",
        stdout: "after\n",
      });
      expect(error?.traceback).toContain('raise ValueError("no words")');
      expect(texts(displays)).toEqual(["1", "2"]);
    });

    test("display of something with one form that fails shows the others and says what failed", async (kernel) => {
      const cell = py`
        class Half:
            def __repr__(self): return "still here"
            def _repr_html_(self): raise ValueError("no html today")
        display(Half())
        print("after")
      `;
      const { events, displays, stdout } = await run(kernel, cell);
      expect(texts(displays)).toEqual(["still here"]);
      expect(stdout).toBe("after\n");
      expect(JSON.stringify(events)).toContain("no html today");
    });

    test("a form that raises NotImplementedError is skipped silently", async (kernel) => {
      const cell = py`
        class Half:
            def __repr__(self): return "still here"
            def _repr_html_(self): raise NotImplementedError
            def _repr_mimebundle_(self, include=None, exclude=None): raise NotImplementedError
            def _ipython_display_(self): raise NotImplementedError
        Half()
      `;
      const { outcome, result, text } = await run(kernel, cell);
      expect({ outcome, result, text }).toEqual({ outcome: "ok", result: { "text/plain": "still here" }, text: "" });
    });

    test("numbers that JSON does not have still arrive", async (kernel) => {
      const cell = py`
        class Odd:
            def _repr_mimebundle_(self, **kwargs):
                return {"text/plain": "odd", "application/json": {"nan": float("nan"), "inf": [float("inf")], 1: "key"}}
        display(Odd())
        Odd()
      `;
      const { displays, result, outcome } = await run(kernel, cell);
      expect(outcome).toBe("ok");
      expect(displays.length).toBe(1);
      expect(result?.["text/plain"]).toBe("odd");
      expect(Object.keys(result?.["application/json"] as object).sort()).toEqual(["1", "inf", "nan"]);
    });

    test("display works from a thread", async (kernel) => {
      const cell = py`
        import threading
        threads = [threading.Thread(target=display, args=(i,)) for i in range(8)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
      `;
      expect(texts((await run(kernel, cell)).displays).sort()).toEqual(["0", "1", "2", "3", "4", "5", "6", "7"]);
    });

    test("a display of several megabytes arrives whole", async (kernel) => {
      const { displays } = await run(kernel, "from IPython.display import HTML\ndisplay(HTML('é' * 4_000_000))");
      expect(String(displays[0]?.data["text/html"]).length).toBe(4_000_000);
    });
  });
}

function texts(displays: readonly DisplayEvent[]): unknown[] {
  return displays.map((event) => event.data["text/plain"]);
}

/** Base64 may end with a line break, as Python's own encoder likes to do. */
function trimmed(bundle: MimeBundle | undefined): MimeBundle {
  const entries = Object.entries(bundle ?? {});
  return Object.fromEntries(
    entries.map(([mime, value]) => [mime, typeof value === "string" ? value.trimEnd() : value]),
  );
}
