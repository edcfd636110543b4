import type { KernelEvent } from "../../../src/kernel/events.ts";
import type { LateDisplay } from "../../../src/kernel/kernel.ts";
import { printed, run } from "../collect.ts";
import { describe, expect } from "../harness.ts";
import type { Contract } from "../kernel-contract.ts";
import { py } from "../py.ts";
import { until } from "../until.ts";

export function describeTerms({ test }: Contract): void {
  describe("the terms of a client", () => {
    test("an unnumbered cell runs and shows its result, and takes no number", async (kernel) => {
      const before = (await run(kernel, "'counted'")).executionCount ?? 0;
      const unnumbered = await run(kernel, "kept = 7\nkept", { terms: { unnumbered: true } });
      expect(unnumbered.result).toEqual({ "text/plain": "7" });
      const after = await run(kernel, "print(kept, 'kept = 7\\nkept' in In)");
      expect(after.executionCount).toBe(before + 1);
      expect(after.stdout).toBe("7 False\n");
    });

    test("a silent cell prints and shows errors, but no result", async (kernel) => {
      const silent = await run(kernel, "print('seen')\n6 * 7", { terms: { silent: true } });
      expect(silent.stdout).toBe("seen\n");
      expect(silent.result).toBeUndefined();
      const failed = await run(kernel, "1 / 0", { terms: { silent: true } });
      expect(failed.outcome).toBe("error");
    });

    test("without input, input() raises what IPython raises for such a client", async (kernel) => {
      const code = py`
        try:
            input("Name: ")
        except NotImplementedError as problem:
            print(type(problem).__name__, problem)
      `;
      const refused = "raw_input was called, but this frontend does not support input requests.";
      expect(await printed(kernel, code, { terms: { withoutInput: true } })).toBe(
        `StdinNotImplementedError ${refused}\n`,
      );
      expect(await printed(kernel, "print(input())", { answer: async () => "Ada" })).toBe("Ada\n");
    });

    test("expressions have the values that the cell left, or their errors", async (kernel) => {
      const expressions = { sum: "a + 1", broken: "nowhere" };
      const { events } = await run(kernel, "a = 41", { terms: { expressions } });
      expect(expressionsOf(events)).toMatchObject({
        sum: { status: "ok", data: { "text/plain": "42" }, metadata: {} },
        broken: { status: "error", ename: "NameError", evalue: "name 'nowhere' is not defined" },
      });
      const failed = await run(kernel, "1 / 0", { terms: { expressions } });
      expect(expressionsOf(failed.events)).toEqual({});
    });

    test("code is complete, invalid, or incomplete with the next line's indentation", async (kernel) => {
      expect(await kernel.isComplete("x = 1")).toEqual({ status: "complete" });
      expect(await kernel.isComplete("if x:")).toEqual({ status: "incomplete", indent: "    " });
      expect((await kernel.isComplete("x = = 1")).status).toBe("invalid");
    });

    test("a thread updates its display after the cell, in any MIME type", async (kernel) => {
      const late: LateDisplay[] = [];
      kernel.onLateDisplay((event) => late.push(event));
      await run(
        kernel,
        py`
        import threading, time
        def work():
            time.sleep(0.3)
            handle.update({"application/vnd.example+json": {"rows": [1, 2]}}, raw=True)
        handle = display({"application/vnd.example+json": {"rows": []}}, raw=True, display_id="view")
        threading.Thread(target=work).start()
      `,
      );
      await until("the update has come", () => late.length > 0);
      expect(late).toMatchObject([
        { update: true, displayId: "view", data: { "application/vnd.example+json": { rows: [1, 2] } } },
      ]);
    });
  });
}

function expressionsOf(events: readonly KernelEvent[]): unknown {
  const last = events.at(-1);
  return (last?.type === "done" && last.expressions) || {};
}
