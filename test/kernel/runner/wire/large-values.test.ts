import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { KernelEvent, LargeContent } from "../../../../src/kernel/events.ts";
import type { HostCallArguments } from "../../../../src/kernel/host-call.ts";
import type { Kernel } from "../../../../src/kernel/kernel.ts";
import { readContent } from "../../../../src/kernel/large-content.ts";
import type { StreamKind } from "../../../../src/kernel/runner/wire/open-streams.ts";
import { newestPython } from "../../../environment/pythons.ts";
import { isLong, testedPythons } from "../../../environment/variants.ts";
import { printed, run } from "../../collect.ts";
import { py } from "../../py.ts";
import { plainEnvironment, startRunner, temporaryFolder } from "../start-runner.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type ShowEvent = Extract<KernelEvent, { type: "display" | "result" }>;

/** Runs a cell, and reads all large contents while that is possible. */
async function shown(kernel: Kernel, code: string) {
  const found: { event: ShowEvent; texts: Record<string, string | null> }[] = [];
  for await (const event of kernel.execute(code)) {
    if (event.type !== "display" && event.type !== "result") continue;
    const texts: Record<string, string | null> = {};
    for (const [mime, content] of Object.entries(event.large ?? {})) texts[mime] = await readContent(content, 1e9);
    found.push({ event, texts });
  }
  return found;
}

/** The longest line that came on the private channels. */
async function longestLine(act: (kernel: Kernel) => Promise<unknown>): Promise<number> {
  let longest = 0;
  const trace = (_direction: string, _channel: string, line: string): void => {
    longest = Math.max(longest, line.length);
  };
  await using kernel = await startRunner(newestPython().path, { trace });
  await act(kernel);
  return longest;
}

const kinds: readonly [string, StreamKind][] = [
  ["where the host opens Python's descriptors", "pipes"],
  ["where it cannot", "fifos"],
];

describe.each(kinds)("a value of several megabytes, %s", (_where, streams) => {
  const temporary = join(folder, streams);
  mkdirSync(temporary);
  const start = (python = newestPython().path): Promise<Kernel> =>
    startRunner(python, { streams, env: { ...plainEnvironment, TMPDIR: temporary } });

  test.each(testedPythons())("comes whole, as a file, with an excerpt of its text ($version)", async ({ path }) => {
    await using kernel = await start(path);
    const [result] = await shown(kernel, "kept = 1; 'aé' * 2_000_000");
    expect(result?.texts["text/plain"] === `'${"aé".repeat(2_000_000)}'`).toBe(true);
    expect(result?.event.large?.["text/plain"]?.bytes).toBe(6_000_002);
    expect(result?.event.data["text/plain"]).toMatch(/^'aéaé.*\n\[… 3,980,002 characters are left out here …\]\n/);
    expect(await printed(kernel, "print(kept, len(_))")).toBe("1 4000000\n");
    const html = "display({'text/html': 'h' * 3_000_000, 'application/x-n+json': list(range(400_000))}, raw=True)";
    const [display] = await shown(kernel, html);
    expect(display?.event.data).toEqual({});
    expect(display?.texts["text/html"] === "h".repeat(3_000_000)).toBe(true);
    expect(JSON.parse(display?.texts["application/x-n+json"] ?? "")).toHaveLength(400_000);
  });

  test("leaves no file behind, neither while Python lives nor after it", async () => {
    {
      await using kernel = await start();
      for (const { texts } of await shown(
        kernel,
        "for _ in range(3): display({'text/html': 'x' * 2_000_000}, raw=True)",
      ))
        expect(texts["text/html"]).toHaveLength(2_000_000);
      await until(kernel, () => filesIn(temporary).length === 0);
    }
    expect(readdirSync(temporary)).toEqual([]);
  });

  test("can be read after Python has ended", async () => {
    await using kernel = await start();
    let text: string | null = null;
    const cell = (async () => {
      for await (const event of kernel.execute(
        "display({'text/html': 'x' * 2_000_000}, raw=True); import os; input(); os._exit(1)",
      )) {
        if (event.type !== "display") continue;
        process.kill(kernel.info.pid as number, "SIGKILL");
        await kernel.exited;
        text = await readContent(event.large?.["text/html"] as LargeContent, 1e9);
      }
    })();
    await expect(cell).rejects.toThrow(/ended|killed/i);
    expect(text).toHaveLength(2_000_000);
  });
});

describe("a large value", () => {
  test("can be read until the next event is asked for", async () => {
    await using kernel = await startRunner(newestPython().path);
    const contents: LargeContent[] = [];
    for await (const event of kernel.execute("display({'text/html': 'x' * 2_000_000}, raw=True)"))
      if (event.type === "display") contents.push(event.large?.["text/html"] as LargeContent);
    await expect(contents[0]?.chunks()[Symbol.asyncIterator]().next()).rejects.toThrow(/until the next event/);
  });

  test("without space on the disk is reported as lost, and nothing else is lost", async () => {
    await using kernel = await startRunner(newestPython().path);
    await printed(kernel, "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, -1)); kept = 1");
    const { events } = await run(kernel, "'x' * 3_000_000");
    const result = events.find((event) => event.type === "result");
    expect(result?.large?.["text/plain"]?.problem).toBe("File too large");
    expect(result?.data["text/plain"]).toContain("characters are left out here");
    expect(await printed(kernel, "print(kept)")).toBe("1\n");
  });

  test("of an exception is its traceback; its name and message are excerpts", async () => {
    await using kernel = await startRunner(newestPython().path);
    let whole: string | null = null;
    for await (const event of kernel.execute(
      "type('E' * 3_000_000, (Exception,), {}); raise ValueError('b' * 3_000_000)",
    )) {
      if (event.type !== "error") continue;
      expect([event.name, event.message.length < 30_000, event.traceback.join().length < 30_000]).toEqual([
        "ValueError",
        true,
        true,
      ]);
      whole = await readContent(event.large as LargeContent, 1e9);
    }
    expect(whole?.startsWith("Traceback") && whole.endsWith(`ValueError: ${"b".repeat(3_000_000)}`)).toBe(true);
  });

  test("many of them at once wait for their reader, and do not fill the disk", async () => {
    await using kernel = await startRunner(newestPython().path);
    const code = py`
      import os
      def is_deleted_file(fd):
          try:
              return os.readlink(f"/proc/self/fd/{fd}").endswith("(deleted)")
          except FileNotFoundError:  # another thread has closed it
              return False
      open_files = lambda: sum(map(is_deleted_file, os.listdir("/proc/self/fd")))
      most = 0
      for _ in range(40):
          display({"text/html": "x" * 2_000_000}, raw=True)
          most = max(most, open_files())
    `;
    let displays = 0;
    for await (const event of kernel.execute(code)) {
      if (event.type !== "display") continue;
      displays++;
      expect(await readContent(event.large?.["text/html"] as LargeContent, 1e9)).toHaveLength(2_000_000);
    }
    expect(displays).toBe(40);
    expect(Number(await printed(kernel, "print(most)"))).toBeLessThan(40);
  });

  test.each<[string, (kernel: Kernel) => Promise<unknown>]>([
    ["a result", (kernel) => run(kernel, "'x' * 20_000_000")],
    [
      "a display with many types",
      (kernel) => run(kernel, "display({f'text/x-{n}': 'y' * 500_000 for n in range(40)}, raw=True)"),
    ],
    ["the name of a type", (kernel) => run(kernel, "display({'a' * 20_000_000: 'x'}, raw=True)")],
    ["metadata", (kernel) => run(kernel, "display({'text/plain': 'x'}, raw=True, metadata={'m': 'z' * 20_000_000})")],
    ["JSON", (kernel) => run(kernel, "display({'application/json': ['x' * 1000] * 20_000}, raw=True)")],
    ["an exception", (kernel) => run(kernel, "raise ValueError('x' * 20_000_000)")],
    ["the name of an exception", (kernel) => run(kernel, "raise type('E' * 20_000_000, (Exception,), {})('x')")],
    ["a prompt", (kernel) => run(kernel, "input('x' * 20_000_000)", { answer: async () => "a" })],
    [
      "completions",
      async (kernel) => {
        await run(
          kernel,
          "class A:\n  def __dir__(self): return ['a' * 2_000_000] + [f'name_{n}_' + 'x' * 100 for n in range(200_000)]\na = A()",
        );
        expect((await kernel.complete("a.", 2)).matches.length).toBeGreaterThan(1000);
      },
    ],
    [
      "documentation",
      async (kernel) => {
        await run(kernel, "def f(): pass\nf.__doc__ = 'd' * 20_000_000");
        expect(Object.keys(await kernel.inspect("f", 1))).toEqual(["text/plain"]);
      },
    ],
    [
      "variables",
      async (kernel) => {
        await run(
          kernel,
          "T = type('T' * 20_000_000, (), {}); t = T(); s = 's' * 20_000_000; d = {'k' * 20_000_000: s}",
        );
        expect((await kernel.variables?.())?.total).toBe(4);
      },
    ],
  ])("never becomes a long frame: %s", async (_what, act) => {
    expect(await longestLine(act)).toBeLessThan(3_000_000);
  });
});

describe("the largest calls of the host", () => {
  const called: HostCallArguments[] = [];
  /** Calls with these arguments, and prints the answer. */
  const call = async (kernel: Kernel, name: string, args: string): Promise<string> =>
    printed(
      kernel,
      py`
        import threading
        from granary_runner.wire import host_calls
        replies, over = [], threading.Event()
        host_calls.begin(${name}, ${args}, lambda reply: (replies.append(reply), over.set()))
        over.wait()
        print(replies[0])
      `,
    );
  const start = (): Promise<Kernel> => {
    called.length = 0;
    return startRunner(newestPython().path, {
      async onHostCall({ args }) {
        called.push(args);
        return { text: "taken" };
      },
    });
  };

  test("arrive with 64 MB of text, the longest line of the runner", async () => {
    await using kernel = await start();
    expect(await call(kernel, '"x"', "{'text': 'x' * 63_999_900}")).toBe("{'text': 'taken'}\n");
    expect((called[0] as { text?: string }).text).toHaveLength(63_999_900);
    expect(await call(kernel, '"x"', "{'text': 'x' * 64_000_000}")).toContain("at most 64 MB can be sent");
    expect(await call(kernel, '"x" * 64_000_000', "{}")).toContain("at most 64 MB can be sent");
  });

  test("arrive with 940,000 objects, and are refused in Python with more", async () => {
    await using kernel = await start();
    expect(await call(kernel, '"x"', "{'rows': [{}] * 940_000}")).toBe("{'text': 'taken'}\n");
    expect(await call(kernel, '"x"', "{'text': '[' * 30_000_000}")).toBe("{'text': 'taken'}\n");
    expect(await call(kernel, '"x"', "{'rows': [{}] * 1_000_000}")).toContain("too many values");
    expect(called).toHaveLength(2);
  });
});

test("JSON of too many values is text for callers that need it whole", async () => {
  await using kernel = await startRunner(newestPython().path);
  const { displays } = await run(kernel, "display({'application/json': [{}] * 1_000_000}, raw=True)");
  expect(displays[0]?.data["application/json"] === `[${"{},".repeat(999_999)}{}]`).toBe(true);
});

describe("JSON that is nested too deeply for Python's own writer", () => {
  test.each(testedPythons())("comes as it is, as text ($version)", async ({ path }) => {
    await using kernel = await startRunner(path);
    for (const depth of [150, 300, 3_000, isLong ? 100_000 : 20_000]) {
      const [display] = await shown(
        kernel,
        py`
          value = []
          for _ in range(${String(depth - 1)}): value = [value]
          display({"application/json": value, "text/plain": "x"}, raw=True, metadata={"deep": value, "flat": 1})
        `,
      );
      const expected = "[".repeat(depth) + "]".repeat(depth);
      const { data, metadata } = display?.event ?? {};
      if (depth < 200) expect(JSON.stringify(data?.["application/json"]) === expected).toBe(true);
      else {
        expect(data).toEqual({ "text/plain": "x" });
        // Not compared by the assertion, which would print all of it.
        expect(display?.texts["application/json"] === expected).toBe(true);
        expect([metadata?.deep === expected, metadata?.flat]).toEqual([true, 1]);
      }
    }
    expect(await printed(kernel, "print('alive')")).toBe("alive\n");
  });
});

function filesIn(at: string): readonly string[] {
  return existsSync(at)
    ? readdirSync(at, { recursive: true })
        .map(String)
        .filter((name) => !/^granary-\w+$/.test(name))
    : [];
}

/** The host confirms files on another channel, so this takes a round trip or two. */
async function until(kernel: Kernel, isDone: () => boolean): Promise<void> {
  while (!isDone()) await kernel.ping();
}
