import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callPythonTool } from "../../src/execute/call-python-tool.ts";
import { stopSharedGateways } from "../../src/kernel/gateway/shared/shared-gateway.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import type { Session } from "../../src/session/session.ts";
import { testedPythons } from "../environment/variants.ts";
import { describeWithJupyter } from "../kernel/gateway/jupyter-python.ts";
import { py } from "../kernel/py.ts";
import { until } from "../kernel/until.ts";
import { environmentIn, runtimeIn, temporaryFolder } from "../runtime/runtimes.ts";

const folder = temporaryFolder();
const home = environmentIn(folder).GRANARY_HOME as string;
afterAll(() => stopSharedGateways(home));

for (const { path, version } of testedPythons()) {
  describeTools(`Python functions for the agent, on the runner with Python ${version}`, () =>
    runtimeIn(folder, { interpreter: path }),
  );
}

describeWithJupyter("on Jupyter kernels", (interpreter) => {
  const jupyter = (backend: "zmq" | "gateway", kernels?: "reuse"): Promise<Runtime> =>
    runtimeIn(folder, { interpreter, backend, startSeconds: 60 }, { kernels });

  describeTools("Python functions for the agent, on a Jupyter kernel", () => jupyter("zmq"));

  test("a kept kernel still has its functions, and calls the process that resumes it", async () => {
    const whoServes = (who: string) => ({
      list: () => [{ name: "who", description: "Tells who serves." }],
      call: async () => ({ text: who }),
    });
    const who = "print(tool.who())";
    await using first = await jupyter("gateway", "reuse");
    first.serveTools(whoServes("the first"));
    expect((await first.session("kept").run(`${double}\n${who}`).result).output).toBe("the first\n");
    await first.close();
    await using second = await jupyter("gateway", "reuse");
    second.serveTools(whoServes("the second"));
    const session = second.session("kept");
    expect((await session.run(who).result).output).toBe("the second\n");
    expect(session.pythonTools.list.map(({ name }) => name)).toEqual(["double"]);
    expect((await callPythonTool(session, "double", { x: 21 })).value).toBe(42);
    await session.reset().result;
  });
});

const double = py`
  @tool
  def double(x: int) -> int:
      """Twice as much."""
      return 2 * x
`;

function describeTools(name: string, open: () => Promise<Runtime>): void {
  describe(name, () => {
    let granary: Runtime;
    let session: Session;
    beforeAll(async () => {
      granary = await open();
      session = granary.session("tools");
    });
    afterAll(() => granary?.close());

    test("a marked function is listed with its schema, without output, and can still be called in Python", async () => {
      const told: string[][] = [];
      const stop = session.pythonTools.watch((tools) => told.push(tools.map((tool) => tool.name)));
      const { status, output, displays } = await session.run(`${double}\nprint(double(4))`).result;
      expect({ status, output, displays }).toEqual({ status: "ok", output: "8\n", displays: [] });
      expect(session.pythonTools.list).toEqual([
        {
          name: "double",
          description: "Twice as much.",
          inputSchema: {
            type: "object",
            properties: { x: { type: "integer" } },
            required: ["x"],
            additionalProperties: false,
          },
          awaits: false,
        },
      ]);
      await session.run("@tool(name='say-it', description='Says it.')\ndef say(it: str = 'hi'):\n    print(it)").result;
      stop();
      expect(told).toEqual([["double"], ["double", "say-it"]]);
    });

    test("it runs as a cell: it sees the variables, its prints are output, its value is returned", async () => {
      await session.run(py`
        from dataclasses import dataclass
        from typing import List, Optional
        bag = []

        @dataclass
        class Item:
            name: str
            price: float = 1.0

        @tool
        def put(items: List[Item], note: Optional[str] = None) -> dict:
            bag.extend(items)
            print("bag has", len(bag), note)
            return {"sum": sum(item.price for item in bag), "last": bag[-1].name}
      `).result;
      const { value, result } = await callPythonTool(session, "put", {
        items: [{ name: "ä" }, { name: "b", price: 2 }],
      });
      expect(value).toEqual({ sum: 3, last: "b" });
      expect(result).toMatchObject({ status: "ok", output: "bag has 2 None\n", ledger: { state: "alive" } });
      expect((await session.run("bag[0]").result).output).toBe("Item(name='ä', price=1.0)\n");
    });

    test("an async function is awaited; a value that is not JSON is shown", async () => {
      await session.run(py`
        import asyncio
        @tool
        async def later(seconds: float) -> str:
            await asyncio.sleep(seconds)
            return "done"
        @tool
        def show() -> complex:
            return 1j
      `).result;
      expect((await callPythonTool(session, "later", { seconds: 0 })).value).toBe("done");
      const shown = await callPythonTool(session, "show", {});
      expect({ value: shown.value, output: shown.result.output }).toEqual({ value: undefined, output: "1j\n" });
    });

    test("wrong arguments, exceptions and unknown names are reported", async () => {
      const wrong = await callPythonTool(session, "double", { x: "2" });
      expect(wrong.result).toMatchObject({
        status: "error",
        error: { name: "TypeError", message: "double: x must be a whole number, not '2'" },
      });
      await session.run("@tool\ndef fail():\n    raise KeyError('no such thing')").result;
      const failed = await callPythonTool(session, "fail", {});
      expect(failed.result.error).toMatchObject({ name: "KeyError", message: "'no such thing'" });
      await expect(callPythonTool(session, "nope", {})).rejects.toThrow(
        "Session tools has no Python tool nope. It has:",
      );
    });

    test("aborting the call interrupts it", async () => {
      await session.run("@tool\ndef wait():\n    print('waits', flush=True)\n    while True: pass").result;
      const abort = new AbortController();
      const onEvent = ({ type }: { readonly type: string }): void => {
        if (type === "stream") abort.abort();
      };
      const { value, result } = await callPythonTool(session, "wait", {}, { signal: abort.signal, onEvent });
      expect({ value, status: result.status }).toEqual({ value: undefined, status: "cancelled" });
    });

    test("a type hint that no agent could follow is refused at the definition", async () => {
      const { error } = await session.run("@tool\ndef odd(x: set): pass").result;
      expect(error?.message).toMatch(
        /^tool odd: the parameter x is builtins\.set, which an agent cannot send; use str,/,
      );
      const untyped = await session.run("@tool\ndef odd(x): pass").result;
      expect(untyped.error?.message).toContain("the parameter x has no type hint");
      expect(session.pythonTools.list.map(({ name }) => name)).not.toContain("odd");
    });

    test("they are gone with their kernel, and listeners are notified", async () => {
      let told: readonly unknown[] | undefined;
      const stop = session.pythonTools.watch((tools) => (told = tools));
      await session.reset().result;
      await until("the list is empty", () => session.pythonTools.list.length === 0);
      stop();
      expect(told).toEqual([]);
      await session.run(double).result;
      expect(session.pythonTools.list.map(({ name }) => name)).toEqual(["double"]);
    });

    test("those of extension modules are available from the first cell on", async () => {
      const module = join(home, "modules", "tools.py");
      mkdirSync(dirname(module), { recursive: true });
      writeFileSync(module, double);
      try {
        const fresh = granary.session("modules");
        await fresh.run("1").result;
        expect((await callPythonTool(fresh, "double", { x: 3 })).value).toBe(6);
        await fresh.leave();
      } finally {
        writeFileSync(module, "");
      }
    });
  });
}
