import { describe, expect, test } from "vitest";
import { z } from "zod";
import { KernelError } from "../../src/kernel/errors.ts";
import { defineTool } from "../../src/tools/definition/define-tool.ts";
import type { ToolResult } from "../../src/tools/definition/tool.ts";
import { textOf } from "./contexts.ts";

const shape = {
  cells: z.array(z.strictObject({ code: z.string(), title: z.string().optional() })).min(1, "needs at least one cell"),
  timeout: z.number().optional(),
  mode: z.enum(["fast", "slow"]).optional(),
  deep: z.strictObject({ down: z.strictObject({ here: z.boolean() }).optional() }).optional(),
};

function toolThat(run: () => Promise<ToolResult>) {
  return defineTool({
    name: "sample",
    title: "Sample",
    description: "",
    input: z.strictObject(shape),
    output: z.object({}),
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    run,
  });
}

const ok: ToolResult = { content: [{ type: "text", text: "fine" }], isError: false, details: null, structured: {} };
const cells = [{ code: "1" }];

describe("a tool reports an input error in one sentence", () => {
  test.each<[input: unknown, sentence: string]>([
    [{}, "cells: a list is required"],
    [undefined, "cells: a list is required"],
    ["print(1)", 'expected an object, got "print(1)"'],
    [[], "expected an object, got a list"],
    [{ cells: "print(1)" }, 'cells: expected a list, got "print(1)"'],
    [{ cells: [] }, "cells: needs at least one cell"],
    [{ cells: [{ code: 1 }] }, "cells[0].code: expected text, got 1"],
    [{ cells: [{ code: null }] }, "cells[0].code: expected text, got null"],
    [{ cells: [{ code: "1" }, {}] }, "cells[1].code: text is required"],
    [{ cells: ["1"] }, 'cells[0]: expected an object, got "1"'],
    [{ cells, timeout: "30" }, 'timeout: expected a number, got "30"'],
    [{ cells, mode: "medium" }, 'mode: expected "fast" or "slow", got "medium"'],
    [{ cells, timeuot: 30 }, 'there is no "timeuot"; did you mean "timeout"?'],
    [{ cells, workdir: "/" }, 'there is no "workdir"; there are cells, timeout, mode, deep'],
    [{ cells, workdir: "/", user: "x" }, 'there is no "workdir" or "user"; there are cells, timeout, mode, deep'],
    [{ cells, mdoe: "fast", timeuot: 1 }, 'there is no "mdoe" or "timeuot"; did you mean "mode" or "timeout"?'],
    [{ cells: [{ code: "1", titel: "x" }] }, 'cells[0]: there is no "titel"; did you mean "title"?'],
    [{ cells, deep: { down: { hree: true, here: true } } }, 'deep.down: there is no "hree"; did you mean "here"?'],
    [
      { cells: [{}, {}, {}, {}, {}] },
      "cells[0].code: text is required; cells[1].code: text is required; cells[2].code: text is required; 2 more like this",
    ],
  ])("%j", async (input, sentence) => {
    const result = await toolThat(async () => ok).run(input);
    expect(textOf(result)).toBe(`Error: ${sentence}`);
    expect(result).toMatchObject({ isError: true, details: null, structured: { error: { code: "input" } } });
  });
});

describe("a tool never rejects", () => {
  test("a failure of Granary is reported with its code", async () => {
    const tool = toolThat(() => Promise.reject(new KernelError("start-failed", "No way. Try another.")));
    const result = await tool.run({ cells });
    expect(textOf(result)).toBe("Error: No way. Try another.");
    expect(result.structured).toEqual({ error: { code: "start-failed", message: "No way. Try another." } });
  });

  test("a bug of ours is reported without its stack", async () => {
    const tool = toolThat(() => {
      throw new TypeError("x is not a function");
    });
    const result = await tool.run({ cells });
    expect(textOf(result)).toBe("Error: x is not a function");
    expect(JSON.stringify(result)).not.toContain("define-tool.test");
  });

  test("after an update of Granary, a running server asks for a restart", async () => {
    const missing = Object.assign(new Error("Cannot find module"), { code: "ERR_MODULE_NOT_FOUND" });
    const result = await toolThat(() => Promise.reject(missing)).run({ cells });
    expect(textOf(result)).toMatch(/^Error: Granary's own files have changed .* Restart this server\.$/);
  });

  test("a cancelled call says so", async () => {
    const tool = toolThat(() => Promise.reject(new DOMException("This operation was aborted", "AbortError")));
    const result = await tool.run({ cells }, { signal: AbortSignal.abort() });
    expect(textOf(result)).toBe("Error: The call was cancelled.");
  });

  test("and returns a successful result unchanged", async () => {
    expect(await toolThat(async () => ok).run({ cells })).toEqual(ok);
  });
});
