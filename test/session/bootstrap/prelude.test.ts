import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import type { Kernel } from "../../../src/kernel/kernel.ts";
import { bootstrapKernel } from "../../../src/session/bootstrap/bootstrap.ts";
import type { JsonValue } from "../../../src/support/json/value.ts";
import { newestPython } from "../../environment/pythons.ts";
import { interruptWhenReady, printed, type Run, run } from "../../kernel/collect.ts";
import { isRunning } from "../../kernel/processes.ts";
import { py } from "../../kernel/py.ts";
import { plainEnvironment, startRunner } from "../../kernel/runner/start-runner.ts";

const statusType = "application/x-granary-status";

/** `python/tests/test_prelude_*.py` tests the helpers themselves; this file tests their effect on a kernel. */
describe("helpers in a kernel", () => {
  let folder: string;
  let kernel: Kernel;

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "granary-prelude-")));
    // HOME without a login profile, independent of the machine.
    kernel = await startRunner(newestPython().path, { cwd: folder, env: { ...plainEnvironment, HOME: folder } });
    await bootstrapKernel(kernel, { cwd: folder, modules: [], signal: AbortSignal.timeout(60_000) });
  });
  afterAll(async () => {
    await kernel.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const statuses = (cell: Run): JsonValue[] => cell.displays.map(({ data }) => data[statusType] as JsonValue);

  test("bash as the last expression reads as a terminal does", async () => {
    const { result, text } = await run(kernel, "bash('echo hello; echo oops >&2; exit 3')");
    expect(result?.["text/plain"]).toMatch(/^(hello\noops|oops\nhello)\n\[exit code 3\]$/);
    expect(text).toBe("");
  });

  test("a failed check is an error with the command's last lines", async () => {
    const { error } = await run(kernel, "bash('echo the reason; exit 4', check=True)");
    expect(error).toMatchObject({
      name: "CommandFailed",
      message: expect.stringMatching(/^exit code 4: .*\nthe reason$/),
    });
  });

  test("an interrupt ends a command and all its children, and the kernel continues", async () => {
    const cell = py`
      import os, threading, time
      def say_when_all_run():
          while not all(os.path.exists(name) and open(name).read() for name in ("inner", "orphan", "outer")):
              time.sleep(0.01)
          print("ready", flush=True)
      threading.Thread(target=say_when_all_run).start()
      bash("""
          sh -c 'trap "" INT TERM; echo $$ > inner; sleep 1000' &
          (sleep 1000 & echo $! > orphan)
          echo $$ > outer; wait
      """)
    `;
    const { outcome } = await interruptWhenReady(kernel, cell);
    expect(outcome).toBe("interrupted");
    const pids = ["inner", "orphan", "outer"].map((name) => Number(readFileSync(join(folder, name), "utf8")));
    expect(pids.filter(isRunning)).toEqual([]);
    expect(await printed(kernel, "print(bash('echo on').stdout)")).toBe("on\n\n");
  });

  test("each file helper tells what it did, once, and shows nothing else", async () => {
    const cell = py`
      write_file("a/b.txt", "one\ntwo\n")
      text = read_file("a/b.txt", (2, 2))
      paths = find_files("*.txt")
      lines = search_files("t.o")
    `;
    const done = await run(kernel, cell);
    expect(done.events.map((event) => event.type)).toEqual(["started", ...Array(4).fill("display"), "done"]);
    expect(statuses(done)).toEqual([
      { op: "write", path: `${folder}/a/b.txt`, bytes: 8, created: true },
      { op: "read", path: `${folder}/a/b.txt`, bytes: 4, lines: [2, 2] },
      { op: "find", path: folder, pattern: "*.txt", count: 1, complete: true },
      { op: "search", path: folder, pattern: "t.o", count: 1, complete: true },
    ]);
    const shown = "print(repr(text), list(paths), lines)";
    expect(await printed(kernel, shown)).toBe("'two\\n' ['a/b.txt'] a/b.txt:2: two\n");
  });

  test("progress over a hundred thousand items is a first and a last event, and few between", async () => {
    const done = await run(kernel, "for _ in progress(range(100_000), 'Counting'): pass");
    const events = statuses(done) as { id: string }[];
    const { id } = events[0] as { id: string };
    const counting = { op: "progress", id, title: "Counting", total: 100_000 };
    const seconds = expect.any(Number);
    expect(events[0]).toEqual({ ...counting, done: 0, state: "running", seconds });
    expect(events.at(-1)).toEqual({ ...counting, done: 100_000, state: "finished", seconds });
    expect(events.length).toBeLessThan(1000);
    // All but the first replace the previous one.
    expect(done.displays.map(({ displayId, update }) => [displayId, update])).toEqual(
      events.map((_, position) => [id, position > 0]),
    );
  });

  test("docs/prelude.md has every helper, with the parameters it really has", async () => {
    const cell = py`
      import inspect, granary_prelude
      for name in granary_prelude.__all__:
          print(name + str(inspect.signature(getattr(granary_prelude, name))))
    `;
    const signatures = (await printed(kernel, cell)).trimEnd().split("\n");
    const page = readFileSync(inRepository("docs/prelude.md"), "utf8");
    expect(signatures.filter((signature) => !page.includes(`## \`${signature}\``))).toEqual([]);
    expect(signatures.length).toBeGreaterThan(5);
  });

  test("no helper hides a builtin of Python's", async () => {
    const cell = py`
      import granary_prelude, subprocess, sys
      plain = subprocess.check_output([sys.executable, "-c", "import builtins; print(*dir(builtins))"], text=True).split()
      print([name for name in granary_prelude.__all__ if name in plain])
    `;
    expect(await printed(kernel, cell)).toBe("[]\n");
  });

  test("a shell snapshot named by the environment gives bash its aliases, functions and PATH", async () => {
    mkdirSync(join(folder, "tools"), { recursive: true });
    const snapshot = join(folder, "snapshot.sh");
    writeFileSync(snapshot, `alias greet='echo hello'\nshout() { echo "$1!"; }\nexport PATH="${folder}/tools:$PATH"\n`);
    const cell = "print(bash('greet you; shout hey; echo $PATH | cut -d: -f1').stdout, end='')";
    const output = await printed(kernel, cell, { env: { PI_SHELL_SNAPSHOT: snapshot } });
    expect(output).toBe(`hello you\nhey!\n${folder}/tools\n`);
    rmSync(snapshot);
    expect(await printed(kernel, "print(bash('shopt -q login_shell && echo login').stdout, end='')")).toBe("login\n");
  });
});
