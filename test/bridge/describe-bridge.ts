import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HostCallError } from "../../src/kernel/host-call.ts";
import { pythonLiteral } from "../../src/python/python-literal.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import type { ExecutionResult } from "../../src/session/execution/execution.ts";
import type { Session } from "../../src/session/session.ts";
import { deferred } from "../../src/support/deferred.ts";
import { GranaryError } from "../../src/support/granary-error.ts";
import { py } from "../kernel/py.ts";
import { until } from "../kernel/until.ts";
import { echo, toolsFor, waitFor } from "./host-tools.ts";

/** The contract for Python code that calls the host, on every transport. */
export function describeBridge(name: string, open: () => Promise<Runtime>): void {
  describe(name, () => {
    let granary: Runtime;
    let session: Session;
    let hanging: string[];
    let calledOff: string[];
    let waiting: number;
    let everybodyIsHere = deferred<void>();

    const hang = (signal: AbortSignal, who: string): Promise<never> => {
      hanging.push(who);
      return waitFor(signal, () => calledOff.push(who));
    };
    /** Answers when three calls are waiting, so not before all of them have arrived. */
    const meet = async (who: unknown): Promise<{ text: string }> => {
      waiting += 1;
      if (waiting === 3) everybodyIsHere.resolve();
      await everybodyIsHere.promise;
      return { text: `met ${who}` };
    };

    beforeAll(async () => {
      granary = await open();
      session = granary.session("agent");
      granary.serveTools(
        toolsFor({
          read: echo,
          picture: () => ({
            text: "a dot",
            structured: { width: 1 },
            images: [{ base64: Buffer.from("PNG").toString("base64"), mimeType: "image/png" }],
          }),
          same: ({ args }) => ({ value: args.value ?? null }),
          hash: ({ args }) => ({ text: createHash("sha256").update(String(args.text)).digest("hex") }),
          grow: ({ args }) => ({ text: "x".repeat(Number(args.characters)) }),
          meet: ({ args }) => meet(args.who),
          hang: ({ args, signal }) => hang(signal, String(args.who)),
          fail: () => {
            throw new HostCallError("no-such-file", "There is no file a.txt.", { structured: { path: "a.txt" } });
          },
          refuse: () => {
            throw new GranaryError("busy", "This kernel is running a cell. Wait for its end.");
          },
          crash: () => {
            throw new TypeError("undefined is not a function");
          },
          "odd-name": echo,
          nothing: () => undefined as never,
          empty: () => ({}) as never,
          whoami: ({ session: id, cwd }) => ({ text: `${id} in ${cwd}` }),
        }),
      );
    });
    afterAll(() => granary?.close());
    beforeEach(() => {
      hanging = [];
      calledOff = [];
      waiting = 0;
      everybodyIsHere = deferred();
    });

    const run = (code: string): Promise<ExecutionResult> => session.run(code).result;
    const printed = async (code: string): Promise<string> => {
      const { status, output } = await run(code);
      expect({ status, output }).toMatchObject({ status: "ok" });
      return output;
    };

    test("a call returns the tool's text, with its other results beside it", async () => {
      expect(await printed("tool.read(path='a.txt')")).toBe('read {"path":"a.txt"}\n');
      const cell = py`
        answer = tool.picture()
        print(type(answer).__mro__[1], answer.upper(), answer.structured, [(i.mime_type, i.data) for i in answer.images])
      `;
      expect(await printed(cell)).toBe("<class 'str'> A DOT {'width': 1} [('image/png', b'PNG')]\n");
      expect(await printed("tool['odd-name'](a=[1, None])")).toBe('odd-name {"a":[1,null]}\n');
      expect(await printed("print(tool.whoami())")).toContain("agent in /");
    });

    test("a tool that returns no answer fails the call, which does not hang", async () => {
      for (const name of ["nothing", "empty"]) {
        const { error } = await run(`tool.${name}()`);
        expect(error).toMatchObject({
          name: "ToolError",
          message: expect.stringContaining(`The tool ${name} returned`),
        });
      }
    });

    test("async code can await a call; several calls run at once", async () => {
      expect(await printed("print(await tool.read(path='b'))")).toBe('read {"path":"b"}\n');
      const cell = py`
        import asyncio
        print(*await asyncio.gather(*[tool.meet(who=who) for who in "abc"]), sep=", ")
      `;
      expect(await printed(cell)).toBe("met a, met b, met c\n");
    });

    test("synchronous functions may be called from async code, and their result can still be awaited", async () => {
      const cell = py`
        def load(path):
            return tool.read(path=path)
        print(load("a"), await load("b"))
      `;
      expect(await printed(cell)).toBe('read {"path":"a"} read {"path":"b"}\n');
    });

    test("a call is a coroutine for asyncio", async () => {
      const cell = py`
        import asyncio
        async def main():
            tasks = [asyncio.create_task(tool.meet(who=who)) for who in "abc"]
            print([await task for task in tasks])
            early = asyncio.create_task(tool.hang(who="early"))
            early.cancel()
            print(await asyncio.gather(early, return_exceptions=True))
        await main()
      `;
      expect(await printed(cell)).toMatch(/^\['met a', 'met b', 'met c'\]\n\[.*CancelledError\(.*\)\]\n$/);
      // The call may have ended before the host heard of it.
      await until("the host is at rest", () => calledOff.length === hanging.length);
    });

    test("async code that forgets the await still gets the value; an unused call is reported", async () => {
      const cell = py`
        async def mixed():
            text = tool.read(path="a")
            return text.upper(), f"{text}", text[:4] + "er", len(text), "path" in text, text == await text
        print(await mixed())
      `;
      expect(await printed(cell)).toBe('(\'READ {"PATH":"A"}\', \'read {"path":"a"}\', \'reader\', 17, True, True)\n');
      const { output } = await run("async def forget():\n    tool.read(path='a')\nawait forget()");
      expect(output).toContain("nothing awaited tool.read(…): this code awaits, so write: await tool.read(…)");
    });

    test("threads can call", async () => {
      const cell = py`
        from concurrent.futures import ThreadPoolExecutor
        with ThreadPoolExecutor(3) as pool:
            print(*pool.map(lambda who: tool.meet(who=who), "abc"), sep=", ")
      `;
      expect(await printed(cell)).toBe("met a, met b, met c\n");
    });

    test("a thread that outlives its cell can keep calling", async () => {
      await printed(py`
        import threading
        heard = []
        thread = threading.Thread(target=lambda: [heard.append(tool.meet(who=n)) for n in (1, 2)])
        thread.start()
      `);
      await until("the thread has called", () => waiting === 1);
      waiting = 2;
      everybodyIsHere.resolve();
      expect(await printed("thread.join(); print(heard)")).toBe("['met 1', 'met 2']\n");
    });

    test("an exception of a tool is a ToolError with its code", async () => {
      const cell = py`
        for name in ("fail", "refuse", "crash"):
            try:
                tool[name]()
            except ToolError as problem:
                print(problem.code, problem.tool, problem, problem.structured)
      `;
      expect(await printed(cell)).toBe(
        "no-such-file fail There is no file a.txt. {'path': 'a.txt'}\n" +
          "busy refuse This kernel is running a cell. Wait for its end. {}\n" +
          "failed crash undefined is not a function {}\n",
      );
      const { status, error } = await run("tool.fail()");
      expect({ status, ...error }).toMatchObject({ status: "error", name: "ToolError" });
    });

    test("an unknown tool lists the known ones; names and help are available", async () => {
      const { error } = await run("tool.raed(path='a')");
      expect(error?.message).toContain("There is no tool raed. Did you mean read? There are: read, picture,");
      expect(await printed("print(tool.names()[:2]); tool.help('read')")).toBe(
        "['read', 'picture']\nDoes read.\nAnd more.\n  path: string  Which file.\n  times: integer (optional)\n",
      );
    });

    test("arguments that are not JSON are refused with a sentence, before any call", async () => {
      const problems = py`
        import pathlib
        for arguments in ({"path": pathlib.Path("a")}, {"n": float("nan")}, {"n": 2**60}, {"d": {1: 2}}, {"deep": [{"x": {1}}]}):
            try:
                tool.read(**arguments)
            except TypeError as problem:
                print(problem)
        try:
            tool.read("a.txt")
        except TypeError as problem:
            print(problem)
      `;
      expect((await printed(problems)).split("\n")).toEqual([
        expect.stringMatching(/^tool\.read\(\): path is pathlib.*PosixPath, which is no JSON; write str\(path\)$/),
        "tool.read(): n is nan, which JSON does not have; write None, or a text",
        "tool.read(): n has more digits than JSON keeps; write str(n)",
        "tool.read(): d has the key 1, which is no text; JSON has only keys of text",
        "tool.read(): deep[0]['x'] is set, which is no JSON; write sorted(deep[0]['x']) or list(deep[0]['x'])",
        "tool.read() takes its arguments by name: tool.help('read') lists them",
        "",
      ]);
    });

    test("any JSON makes the round trip unchanged", async () => {
      const values = fc.sample(fc.jsonValue({ maxDepth: 4 }), { numRuns: 40, seed: 7 });
      // Large whole numbers are floats in JavaScript, though they do not look like it.
      const cell = py`
        import json
        def parse(text):
            return json.loads(text, parse_int=lambda digits: int(digits) if len(digits) < 16 else float(digits))
        values = parse(${pythonLiteral(JSON.stringify(values))})
        print([value for value in values if parse(json.dumps(tool.same(value=value))) != value])
      `;
      expect(await printed(cell)).toBe("[]\n");
    });

    test("megabytes make the round trip", async () => {
      const cell = py`
        import hashlib
        text = "ä\n" * 2_000_000
        print(tool.hash(text=text) == hashlib.sha256(text.encode()).hexdigest(), len(tool.grow(characters=5_000_000)))
      `;
      expect(await printed(cell)).toBe("True 5000000\n");
    });

    test.each([
      ["waits for", "try:\n    tool.hang(who='main')\nfinally:\n    print('cleaned up')"],
      ["awaits", "try:\n    await tool.hang(who='main')\nfinally:\n    print('cleaned up')"],
    ])("interrupting a cell that %s a call cancels the call, and the kernel survives", async (_how, code) => {
      const execution = session.run(code);
      await until("the call is under way", () => hanging.includes("main"));
      await execution.interrupt();
      const { status, output, error, ledger } = await execution.result;
      expect({ status, name: error?.name, state: ledger.state }).toEqual({
        status: "cancelled",
        name: "KeyboardInterrupt",
        state: "interrupted",
      });
      expect(output).toContain("cleaned up\n");
      await until("the host knows", () => calledOff.includes("main"));
      expect(await printed("tool.read(path='after')")).toBe('read {"path":"after"}\n');
    });

    test("interrupting a cell that waits for threads cancels their calls, so that it can end", async () => {
      const execution = session.run(py`
        from concurrent.futures import ThreadPoolExecutor
        def call(who):
            try:
                tool.hang(who=who)
            except ToolError as problem:
                codes.append(problem.code)
        codes = []
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(call, "ab"))
      `);
      await until("both are under way", () => hanging.includes("a") && hanging.includes("b"));
      await execution.interrupt();
      const { status, ledger } = await execution.result;
      expect({ status, state: ledger.state }).toEqual({ status: "cancelled", state: "interrupted" });
      expect(calledOff).toEqual(expect.arrayContaining(["a", "b"]));
      expect(await printed("print(codes)")).toBe("['cancelled', 'cancelled']\n");
    });

    test("a timeout in Python cancels a call", async () => {
      const cell = py`
        import asyncio
        try:
            await asyncio.wait_for(tool.hang(who="slow"), 0.05)
        except asyncio.TimeoutError:
            print("in time")
      `;
      expect(await printed(cell)).toBe("in time\n");
      await until("the host is at rest", () => calledOff.length === hanging.length);
    });

    test("a tool that would run a cell where a cell waits for it is refused, instead of a deadlock", async () => {
      const runIn = async (id: string, code: string) => {
        const { status, output, failure } = await granary.session(id).run(code).result;
        return { text: `${status} ${failure?.code ?? output.trim()}` };
      };
      const stop = granary.serveTools(
        toolsFor({
          python: ({ args }) => runIn(String(args.session), String(args.code)),
        }),
      );
      const there = "print(tool.python(session='agent', code='1'))";
      const nested = `tool.python(session="helper", code=${JSON.stringify(there)})`;
      try {
        expect(await printed("tool.python(session='agent', code='1')")).toBe("failed waits-for-itself\n");
        expect(await printed("tool.python(session='helper', code='6 * 7')")).toBe("ok 42\n");
        expect(await printed(nested)).toBe("ok failed waits-for-itself\n");
      } finally {
        stop();
        await granary.session("helper").leave();
      }
    });

    test("when the kernel ends, its calls are cancelled", async () => {
      const lost = granary.session("lost");
      void lost.run("tool.hang(who='lost')");
      await until("the call is under way", () => hanging.includes("lost"));
      await lost.leave();
      await until("the host knows", () => calledOff.includes("lost"));
    });

    test("no child process can find the token, nor does a cell by accident", async () => {
      const cell = py`
        import os, subprocess, sys, linecache, gc
        import granary_prelude.bridge as bridge
        secret = bridge.token()
        child = subprocess.run(["env"], capture_output=True, text=True).stdout
        seen = [str(dict(os.environ)), child, open("/proc/self/environ").read(), str(linecache.cache), str(sys.argv)]
        seen += [str(globals().get("In")), str(globals().get("_ih"))]
        print([name for name in os.environ if name == "PI_TOOL_BRIDGE_TOKEN"], [secret is not None and secret in s for s in seen])
      `;
      expect(await printed(cell)).toBe(`[] [${Array(7).fill("False").join(", ")}]\n`);
    });
  });
}
