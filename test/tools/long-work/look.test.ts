import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createBashTool } from "../../../src/tools/bash.ts";
import type { ToolContext } from "../../../src/tools/context/tool-context.ts";
import { createExecutionsTool } from "../../../src/tools/executions.ts";
import { createNotebookTool } from "../../../src/tools/notebook.ts";
import { createPythonTool } from "../../../src/tools/python.ts";
import { environment } from "../../environment/pythons.ts";
import { notebookText } from "../../execute/notebook-runs.ts";
import { py } from "../../kernel/py.ts";
import { until } from "../../kernel/until.ts";
import { temporaryFolder } from "../../runtime/runtimes.ts";
import { contextIn, textOf } from "../contexts.ts";

const folder = temporaryFolder();
const main = environment("main");
const interpreter = "missing" in main ? null : main.python;

async function lookAt(context: ToolContext, hasCome: (text: string) => boolean, id?: string): Promise<string> {
  const executions = createExecutionsTool(context);
  let text = "";
  await until("it is there to be seen", async () => {
    text = textOf(await executions.run({ action: "look", ...(id !== undefined && { id }) }));
    return hasCome(text);
  });
  return text;
}

async function begin(context: ToolContext, code: string): Promise<void> {
  await createPythonTool(context).run({ cells: [{ title: "work", code }], background: true });
}

describe("a look at a running cell", () => {
  test("shows where it is, with libraries folded, its process and its last output; the cell continues", async () => {
    await using context = await contextIn(folder);
    const code = py`
      import json, os, time
      class Slow(dict):
          def items(self):
              print("printed", flush=True)
              while not os.path.exists("enough"): time.sleep(0.01)
              return [("a", 1)]
      print(json.dumps(Slow(a=1), indent=1))
    `;
    await begin(context, code);
    const text = await lookAt(context, (seen) => seen.includes("last output") && seen.includes(":5 in"));
    const [head, ...lines] = text.split("\n");
    expect(head).toMatch(/^run-1 is running, \d+ s so far \(session main\): work$/);
    expect(lines[0]).toBe("  <cell 1>:7: print(json.dumps(Slow(a=1), indent=1))");
    expect(lines[1]).toMatch(/^ {4}\[\d+ frames in Python\]$/);
    expect(lines[2]).toMatch(/^ {2}<cell 1>:5 in (?:Slow\.)?items: while not os\.path\.exists\("enough"\)/);
    expect(text).toMatch(/\nCPU \d+ %, memory \d.* [KMG]B, process \d+\n/);
    expect(text).toMatch(/\nlast output:\nprinted$/);
    writeFileSync(join(folder, "enough"), "");
    expect((await context.runtime.execution("run-1")?.result)?.status).toBe("ok");
  });

  test("lists the processes that it has started, and names those that wait for a person", async () => {
    await using context = await contextIn(folder);
    const bin = join(folder, "bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "vim"), "#!/bin/sh\nwhile :; do sleep 0.1; done\n");
    chmodSync(join(bin, "vim"), 0o755);
    await begin(context, `import subprocess\nsubprocess.run([${JSON.stringify(join(bin, "vim"))}, "notes.txt"])`);
    const text = await lookAt(context, (seen) => seen.includes("vim notes.txt (CPU"));
    expect(text).toMatch(
      /\n {2}\d+ \S*sh \S*\/vim notes\.txt \(CPU \d+ %; an editor, which waits for a terminal; there is none\)/,
    );
    expect(text).toContain("and its children:");
  });

  test("shows the bars of progress(), with count, rate and time left", async () => {
    await using context = await contextIn(folder);
    await begin(
      context,
      py`
        import time
        with progress(100, "train") as bar:
            time.sleep(0.2)
            bar.advance(40)
            while True: time.sleep(0.01)
      `,
    );
    const text = await lookAt(context, (seen) => seen.includes("40 of 100"));
    expect(text).toMatch(/\nprogress: train: 40 of 100, \d[\d.]*\/s, \d+ s left\n/);
  });

  test.skipIf(interpreter === null)("shows the bars that tqdm and rich draw", async () => {
    await using context = await contextIn(folder, { python: { interpreter } });
    await begin(
      context,
      py`
        import time
        from tqdm import tqdm
        bar = tqdm(total=200, desc="load")
        bar.update(50)
        time.sleep(0.2)
        bar.update(50)
        from rich.progress import Progress
        with Progress() as rich:
            task = rich.add_task("unpack", total=8)
            rich.advance(task, 2)
            while True: time.sleep(0.01)
      `,
    );
    const text = await lookAt(context, (seen) => seen.includes("100 of 200") && seen.includes("2 of 8"));
    expect(text).toMatch(/\nprogress: unpack: 2 of 8/);
    expect(text).toMatch(/\nprogress: load: 100 of 200, \d[\d.]*\/s, \d+ s left\n/);
  });

  test("says that C code holds Python's lock, and shows the last stack that is known", async () => {
    await using context = await contextIn(folder);
    const gate = JSON.stringify(join(folder, "gate"));
    await begin(
      context,
      py`
        import ctypes, os, time
        os.mkfifo(${gate}); gate = os.open(${gate}, os.O_RDWR)
        def hold():
            until = time.monotonic() + 0.5
            while time.monotonic() < until: pass
            ctypes.PyDLL(None).read(gate, ctypes.create_string_buffer(1), 1)
        hold()
      `,
    );
    const text = await lookAt(context, (seen) => seen.includes("interpreter lock"));
    expect(text).toMatch(
      /\nC code holds Python's interpreter lock, so Python cannot answer\. The stack is the last one known, \d+ s old:\n {2}<cell 1>:7: hold\(\)\n/,
    );
    expect(text).toMatch(/\n {2}<cell 1>:\d in hold: \S/);
    writeFileSync(join(folder, "gate"), "x");
    expect((await context.runtime.execution("run-1")?.result)?.status).toBe("ok");
  });

  test("shows none of Granary's own frames, one round of a recursion, and forks as such", async () => {
    await using context = await contextIn(folder);
    const look = async (code: string, hasCome: (text: string) => boolean) => {
      await begin(context, code);
      const text = await lookAt(context, hasCome);
      await createExecutionsTool(context).run({ action: "interrupt" });
      return text;
    };
    const shell = await look(
      "%%bash\n(sleep 1001; echo)\necho",
      (seen) => seen.includes(": %%bash\n") && seen.includes("sleep 1001 (CPU"),
    );
    expect(shell).toMatch(/\n {2}<cell 1>:1: %%bash\n {4}\[\d+ frames in Python\]\n/);
    expect(shell).not.toContain("granary_runner");
    const fall = "def fall(n):\n    if n == 0: time.sleep(1000)\n    fall(n - 1)\nimport os, time\nfall(30)";
    const deep = await look(fall, (seen) => seen.includes(":2 in fall"));
    expect(deep).toMatch(
      / {2}<cell 2>:3 in fall: fall\(n - 1\)\n {4}\[the frame above repeated 29 more times\]\n {2}<cell 2>:2 in/,
    );
    const fork = await look("pid = os.fork() or time.sleep(1000)\nos.waitpid(pid, 0)", (seen) =>
      seen.includes("children"),
    );
    expect(fork).toMatch(/process (\d+) and its children:\n {2}\d+ a fork of \1 \(CPU/);
  });

  test.skipIf(process.platform !== "linux")("says so if C code has held the lock since the cell began", async () => {
    await using context = await contextIn(folder);
    const gate = JSON.stringify(join(folder, "first"));
    const prepared = `import ctypes, os; os.mkfifo(${gate}); gate = os.open(${gate}, os.O_RDWR); read = ctypes.PyDLL(None).read; room = ctypes.create_string_buffer(1)`;
    await createPythonTool(context).run({ cells: [{ code: prepared }] });
    await begin(context, "read(gate, room, 1)");
    const text = await lookAt(context, (seen) => seen.includes("interpreter lock"));
    expect(text).toContain("It has held the lock almost since the cell began: no stack was noted before.\n");
    writeFileSync(join(folder, "first"), "x");
    expect((await context.runtime.execution("run-2")?.result)?.status).toBe("ok");
  });

  test("needs an id only if several executions run", async () => {
    await using context = await contextIn(folder);
    const executions = createExecutionsTool(context);
    await begin(context, "import time\ntime.sleep(600)");
    await until("it runs", () => context.runtime.execution("run-1")?.status === "running");
    expect(textOf(await executions.run({ action: "look" }))).toMatch(/^run-1 is running/);
    context.sessionFor("other").run("import time\ntime.sleep(600)", { background: true });
    await until("both run", () => context.runtime.execution("run-2")?.status === "running");
    expect(textOf(await executions.run({ action: "look" }))).toBe(
      "Error: id is required, because several are not over: run-1 (work), run-2 (import time …).",
    );
  });

  test("reports when there is nothing to look at: before its turn, and after its end", async () => {
    await using context = await contextIn(folder);
    await begin(context, "import time\ntime.sleep(600)");
    const queued = context.sessionFor().run("1", { background: true });
    const executions = createExecutionsTool(context);
    expect(textOf(await executions.run({ action: "look", id: queued.id }))).toMatch(
      /^run-2 is queued \(session main\): 1\n/,
    );
    await context.runtime.execution("run-1")?.interrupt();
    await queued.result;
    expect(textOf(await executions.run({ action: "look", id: queued.id }))).toBe("run-2 is over: ok (session main): 1");
  });
});

test("a look at a command shows its processes and its output", async () => {
  await using context = await contextIn(folder);
  await createBashTool(context).run({ command: "echo begun; sleep 1000 & wait", timeout: 1 });
  const text = await lookAt(context, (seen) => seen.includes("sleep 1000 (CPU"), "run-1");
  expect(text).toMatch(/^run-1 is running, \d+ s so far \(session main\): \$ echo begun; sleep 1000 & wait\nCPU \d+ %/);
  expect(text).toMatch(/\nlast output:\nbegun$/);
});

test("a look at a notebook that runs is one at its kernel", async () => {
  await using context = await contextIn(folder);
  writeFileSync(
    join(folder, "a.ipynb"),
    notebookText(["def wait():\n    import time\n    while True: time.sleep(0.01)\nwait()"]),
  );
  await createNotebookTool(context).run({ action: "run", path: "a.ipynb", timeout: 1 });
  const text = await lookAt(context, (seen) => seen.includes("in wait"));
  expect(text).toMatch(
    /^run-1 is running, \d+ s so far \(session main\): notebook run a\.ipynb\n {2}<cell 1>:4: wait\(\)\n/,
  );
});

test.skipIf(interpreter === null)(
  "a look at a Jupyter kernel shows its processes, and why it has no stack",
  async () => {
    await using context = await contextIn(folder, { python: { backend: "zmq", interpreter } });
    await begin(context, "import time\nprint('printed', flush=True)\ntime.sleep(600)");
    const text = await lookAt(context, (seen) => seen.includes("last output"));
    expect(text).toContain("\nA Jupyter kernel (zmq) cannot report its stack while a cell runs.\n");
    expect(text).toMatch(/\nCPU \d+ %, memory .*, process \d+/);
  },
);
