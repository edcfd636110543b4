import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Tool, ToolCall, ToolResult } from "../../../src/tools/definition/tool.ts";
import type { Toolbox } from "../../../src/tools/toolbox.ts";
import { py } from "../../kernel/py.ts";
import { until } from "../../kernel/until.ts";
import { contentOf, textOf } from "../../tools/contexts.ts";

/** The tools of an agent, as hosts use them: in the host's process, or in the hub. */
export interface OpenedTools {
  readonly toolbox: Pick<Toolbox, "tools" | "find" | "onToolsChanged">;
  /** Its working folder. */
  readonly folder: string;
  close(): Promise<void>;
}

/** What an agent can rely on, wherever its tools run: every implementation passes it. */
export function describeTools(name: string, open: () => Promise<OpenedTools>): void {
  describe(name, () => {
    let opened: OpenedTools;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());

    const run = (tool: string, input: object, call?: ToolCall): Promise<ToolResult> =>
      (opened.toolbox.find(tool) as Tool).run(input, call);
    const python = (code: string, input: object = {}, call?: ToolCall): Promise<ToolResult> =>
      run("python", { cells: [{ code }], ...input }, call);
    const text = async (code: string, input: object = {}, call?: ToolCall): Promise<string> =>
      textOf(await python(code, input, call));
    /** Python that waits until the test lets it go. */
    const waitFor = (word: string): string =>
      `import os, time\nwhile not os.path.exists("${word}"): time.sleep(0.01)\nprint("after ${word}")`;
    const letGo = (word: string): void => writeFileSync(join(opened.folder, word), "");

    describe("cells", () => {
      test("keep their variables from call to call, and the last expression is shown", async () => {
        expect(await text("x = 6")).toBe("(no output)");
        expect(await text("x * 7")).toBe("42");
      });

      test("of one call run in order, and stop at the first that fails", async () => {
        const cells = [{ code: "print('one')" }, { title: "two", code: "1 / 0" }, { code: "never = 1" }];
        const result = await run("python", { cells });
        expect(result.isError).toBe(true);
        expect(textOf(result)).toMatch(/^Error: .*ZeroDivisionError[\s\S]*one[\s\S]*Traceback/);
        expect(await text("'never' in globals()")).toBe("False");
      });

      test("show stdout and stderr in the order of printing", async () => {
        const code = "import sys\nfor n in range(20): print(n, file=[sys.stdout, sys.stderr][n % 2], flush=True)";
        expect((await text(code)).split("\n")).toEqual(Array.from({ length: 20 }, (_, n) => String(n)));
      });

      test("report an exception with its traceback, as a failed call", async () => {
        const result = await python("def f(): raise KeyError('ключ')\nf()");
        expect(result).toMatchObject({ isError: true });
        expect(textOf(result)).toMatch(/KeyError: 'ключ'[\s\S]*line 1, in f/);
      });

      test("keep every character: emoji, combining marks, lone surrogates, NUL", async () => {
        expect(await text("print('é 👩‍🚀 漢字 \\u0301')")).toBe("é 👩‍🚀 漢字 \u0301");
        expect(await text("'\\ud800'.encode('utf-8', 'surrogatepass')")).toBe("b'\\xed\\xa0\\x80'");
        expect(await text("len('👩‍🚀'), 'a\\0b'")).toBe("(3, 'a\\x00b')");
      });

      test("may be as large as a megabyte", async () => {
        const code = `text = """${"строка\n".repeat(80_000)}"""\nlen(text)`;
        expect(Buffer.byteLength(code)).toBeGreaterThan(1_000_000);
        expect(await text(code)).toBe("560000");
      });

      test("of several sessions run at the same time, those of one session one after the other", async () => {
        const one = python(waitFor("both"), { session: "one" });
        expect(await text("letting = 1; print('second')", { session: "two" })).toContain("second");
        letGo("both");
        expect(textOf(await one)).toContain("after both");
        await python("order = []");
        const calls = Array.from({ length: 12 }, (_, n) => python(`order.append(${n})`, { queue: true }));
        await Promise.all(calls);
        expect(await text("order")).toBe(`[${Array.from({ length: 12 }, (_, n) => n).join(", ")}]`);
      });
    });

    describe("output", () => {
      test("arrives while the cell runs, and the result has all of it", async () => {
        const seen: string[] = [];
        const call = python(
          `print('early', flush=True)\n${waitFor("late")}`,
          {},
          { onUpdate: ({ text }) => seen.push(text) },
        );
        await until("an update has the first line", () => seen.some((each) => each.includes("early")));
        letGo("late");
        expect(textOf(await call)).toBe("early\nafter late");
      });

      test("that is too long for a result is complete in its artifact", async () => {
        const result = await python("for n in range(40_000): print('row', n, n * 7 % 13)");
        const [link] = contentOf(result, "link");
        expect(link?.uri).toMatch(/^artifact:/);
        expect(textOf(result).length).toBeLessThan(20_000);
        for (const row of [0, 20_000, 39_999]) {
          const read = await run("read", { path: `${link?.uri}:${row + 1}-${row + 1}` });
          expect(textOf(read)).toContain(`row ${row} ${(row * 7) % 13}`);
        }
      });

      test("may be 30 MB in one cell, without a lost line", async () => {
        const code = "for n in range(300): print(str(n % 10) * 99_999)";
        const result = await python(code, { timeout: 120 });
        expect(result.details).toMatchObject({ cells: [{ totalLines: 300, totalBytes: 30_000_000 }] });
      });

      test("has pictures where they were displayed, and tables as text", async () => {
        const result = await python(py`
          print("before")
          display({"image/png": "${pixels}", "text/plain": "<Figure>"}, raw=True)
          print("after")
          display({"text/html": "<table><tr><th>a</th></tr><tr><td>1</td></tr></table>"}, raw=True)
        `);
        expect(result.content.map(({ type }) => type)).toEqual(["text", "image", "text"]);
        expect(contentOf(result, "image")).toMatchObject([{ mimeType: "image/png" }]);
        expect(textOf(result)).toMatch(/before[\s\S]*after[\s\S]*\| *a *\|/);
      });

      test("of a thread between two cells comes with the next result", async () => {
        await python(py`
          import os, threading, time
          def late():
              while not os.path.exists("thread"): time.sleep(0.01)
              print("from a thread", flush=True)
              open("thread-done", "w").close()
          threading.Thread(target=late).start()
        `);
        letGo("thread");
        await until("the thread has printed", () => existsSync(join(opened.folder, "thread-done")));
        expect(await text("2")).toContain("from a thread");
      });
    });

    describe("input()", () => {
      test("is answered by the caller, who learns whether it is a password", async () => {
        const asked: [string, boolean][] = [];
        const answer = async (prompt: string, password: boolean): Promise<string> => {
          asked.push([prompt, password]);
          return "Zoë";
        };
        expect(
          await text("from getpass import getpass\ninput('name? ') + getpass('secret? ')", {}, { answer }),
        ).toContain("'ZoëZoë'");
        expect(asked).toEqual([
          ["name? ", false],
          ["secret? ", true],
        ]);
      });

      test("fails without a caller who answers, and when the caller refuses", async () => {
        expect(await text("input('name? ')")).toContain("InputNotAvailable");
        const answer = async (): Promise<string> => {
          throw new Error("nobody is here");
        };
        expect((await python("input('name? ')", {}, { answer })).isError).toBe(true);
        expect(await text("1 + 1")).toBe("2");
      });
    });

    describe("a call that ends early", () => {
      test("a cancelled one interrupts its cell, and variables stay", async () => {
        const stop = new AbortController();
        const seen: string[] = [];
        const onUpdate = ({ text }: { readonly text: string }) => void seen.push(text);
        const code = "kept = 5\nprint('on', flush=True)\nimport time; time.sleep(60)";
        const call = python(code, {}, { signal: stop.signal, onUpdate });
        await until("it runs", () => seen.some((each) => each.includes("on")));
        stop.abort();
        expect((await call).isError).toBe(true);
        expect(await text("kept")).toBe("5");
      });

      test("one that is cancelled before it begins runs nothing", async () => {
        const result = await python("begun = 1", {}, { signal: AbortSignal.abort() });
        expect(textOf(result)).toMatch(/^Error: .*(cancelled|interrupted)/);
        expect(await text("'begun' in globals()")).toBe("False");
      });

      test("a cancelled one that waits in the queue runs nothing, and leaves the running cell alone", async () => {
        const running = python(waitFor("queue"), { queue: true });
        const stop = new AbortController();
        const queued = python("queued = 1", { queue: true }, { signal: stop.signal });
        await until("it is queued", async () => /queued/.test(textOf(await run("executions", {}))));
        stop.abort();
        expect((await queued).isError).toBe(true);
        letGo("queue");
        expect(textOf(await running)).toContain("after queue");
        expect(await text("'queued' in globals()")).toBe("False");
      });

      test("after its timeout the cell continues, and its execution has each line once", async () => {
        const early = await text(`print('begun', flush=True)\n${waitFor("detached")}`, { timeout: 1 });
        const [, id, since] = /"id": "(run-\d+)", "since": (\d+)/.exec(early) ?? [];
        expect(early).toMatch(/^still running: run-\d+[\s\S]*\nbegun\n/);
        expect(await text("1")).toContain(`${id}`);
        letGo("detached");
        const rest = await run("executions", { action: "wait", id, since: Number(since) });
        expect(textOf(rest)).toBe(`${id} is over: ok.\n\nafter detached`);
      });

      test("a cell in the background is polled, looked at and interrupted by its id", async () => {
        const begun = await text("import time\nprint('on', flush=True)\ntime.sleep(600)", { background: true });
        const id = /run-\d+/.exec(begun)?.[0];
        await until("it has printed", async () => textOf(await run("executions", { id })).includes("\non"));
        expect(textOf(await run("executions", { action: "look", id }))).toContain("time.sleep(600)");
        expect(textOf(await run("executions", { action: "interrupt", id }))).toMatch(/is over: cancelled/);
      });
    });

    describe("a kernel", () => {
      test("that ends in a cell gives programs the code of the failure", async () => {
        const result = await python("import os; os._exit(5)", { session: "ends" });
        const tool = opened.toolbox.find("python") as Tool;
        // What MCP clients get.
        expect(tool.outputSchema.parse(result.structured)).toMatchObject({ error: { code: "kernel-died" } });
      });

      test("that crashes fails its cell once, and says that variables are as before; without a checkpoint, that they are lost", async () => {
        await python("kept = 1", { session: "crash" });
        const code = "open('crashes', 'a').write('x')\nimport os; os._exit(3)";
        const crashed = await python(code, { session: "crash" });
        expect(crashed.isError).toBe(true);
        // Only Linux makes checkpoints by itself.
        const isKept = process.platform === "linux";
        const said = isKept
          ? /exit code 3[\s\S]*Variables are as they were after cell 1\./
          : /exit code 3[\s\S]*variables are gone/i;
        expect(textOf(crashed)).toMatch(said);
        const now = await text("'kept' in globals(), open('crashes').read()", { session: "crash" });
        expect(now).toBe(`(${isKept ? "True" : "False"}, 'x')`);
      });

      test("is restarted on request, listed with its state, and its variables are listed", async () => {
        await python("shown = [1, 2]", { session: "listed" });
        expect(textOf(await run("variables", { session: "listed" }))).toMatch(/shown.*list/);
        expect(textOf(await run("kernels", { action: "restart", session: "listed" }))).toContain("listed was ended");
        expect(await text("'shown' in globals()", { session: "listed" })).toContain("False");
        expect(textOf(await run("kernels", {}))).toContain("listed");
      });

      test("with reset: true, is fresh before the cell", async () => {
        await python("before = 1", { session: "fresh" });
        expect(await text("'before' in globals()", { session: "fresh", reset: true })).toContain("False");
      });
    });

    describe("tools", () => {
      test("a function marked in a cell is one until its kernel ends", async () => {
        let changes = 0;
        const stop = opened.toolbox.onToolsChanged(() => changes++);
        await python('@tool\ndef double(n: int) -> int:\n    "Doubles"\n    return 2 * n', { session: "marked" });
        await until("it is offered", () => opened.toolbox.find("double") !== undefined);
        expect(await run("double", { n: 21 })).toMatchObject({ isError: false, structured: { value: 42 } });
        expect(textOf(await run("double", { n: "many" }))).toMatch(/^Error: n: expected/);
        await run("kernels", { action: "shutdown", session: "marked" });
        await until("it is gone", () => opened.toolbox.find("double") === undefined);
        expect(changes).toBeGreaterThan(1);
        stop();
      });

      test("are called by code in a cell", async () => {
        writeFileSync(join(opened.folder, "greeting.txt"), "hello from a file\n");
        expect(await text("print(tool.read(path='greeting.txt'))")).toContain("hello from a file");
      });

      test("refuse bad arguments in a sentence, also deeply nested ones", async () => {
        expect(textOf(await run("python", { cells: [] }))).toMatch(/^Error: cells: needs at least one cell/);
        expect(textOf(await run("python", { cels: [] }))).toMatch(/^Error: /);
        let deep: unknown = 1;
        for (let level = 0; level < 2000; level++) deep = [deep];
        expect(textOf(await run("python", { cells: deep }))).toMatch(/^Error: The arguments are nested/);
        expect(textOf(await run("executions", { action: "wait", id: "run-0" }))).toMatch(/^Error: There is no run-0/);
      });

      test("a command has its output and exit code, and continues after its timeout", async () => {
        expect(await run("bash", { command: "echo out; echo err >&2; exit 3" })).toMatchObject({
          isError: true,
          structured: { status: "error", exitCode: 3 },
        });
        const command = "echo begun; until [ -e bash ]; do sleep 0.02; done; echo end";
        const early = await run("bash", { command, timeout: 1 });
        const { id } = early.structured as { readonly id: string };
        letGo("bash");
        expect(textOf(await run("executions", { action: "wait", id }))).toBe(`${id} is over: ok.\n\nbegun\nend`);
      });

      test("a notebook of 5 GB is refused before it is read", async () => {
        writeFileSync(join(opened.folder, "huge.ipynb"), "");
        truncateSync(join(opened.folder, "huge.ipynb"), 5e9);
        expect(textOf(await run("read", { path: "huge.ipynb" }))).toContain("cannot be read: it is too large.");
      });

      test("a notebook runs, and the file has its outputs", async () => {
        await run("notebook", { action: "new", path: "n.ipynb" });
        await run("notebook", { action: "insert", path: "n.ipynb", cell_index: 0, content: "print(6 * 7)" });
        const ran = await run("notebook", { action: "run", path: "n.ipynb" });
        expect(ran.isError).toBe(false);
        const { cells } = JSON.parse(readFileSync(join(opened.folder, "n.ipynb"), "utf8"));
        expect(cells).toMatchObject([{ outputs: [{ name: "stdout", text: ["42\n"] }] }]);
      });
    });
  });
}

/** Two pixels, a red one and a blue one. */
const pixels = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR42mP4zwAE/wEHAAH/PX2MSQAAAABJRU5ErkJggg==";
