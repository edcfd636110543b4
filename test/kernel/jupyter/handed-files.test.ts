import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { LargeContent } from "../../../src/kernel/events.ts";
import { filesMember, HandedFiles } from "../../../src/kernel/jupyter/handed-files.ts";
import type { JupyterMessage } from "../../../src/kernel/jupyter/messages/message.ts";
import type { Kernel } from "../../../src/kernel/kernel.ts";
import { readContent } from "../../../src/kernel/large-content.ts";
import type { JsonObject } from "../../../src/support/json/value.ts";
import { run, runToDeath } from "../collect.ts";
import { describeWithJupyter } from "../gateway/jupyter-python.ts";
import { until } from "../until.ts";
import { startZmq } from "../zmq/start-zmq.ts";

const folder = mkdtempSync(join(tmpdir(), "granary-handed-test-"));
beforeAll(() => void vi.stubEnv("TMPDIR", folder));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});
const foldersLeft = (): readonly string[] => readdirSync(folder).filter((name) => name.startsWith("granary-large-"));
const filesLeft = (): readonly string[] => foldersLeft().flatMap((name) => readdirSync(join(folder, name)));

describeWithJupyter("a large value of a Jupyter kernel on this machine", (python) => {
  /** The longest message that came. */
  async function longestMessage(act: (kernel: Kernel) => Promise<void>): Promise<number> {
    let longest = 0;
    const trace = (direction: string, _channel: string, line: string): void => {
      if (direction === "receive") longest = Math.max(longest, line.length);
    };
    await using kernel = await startZmq(python, { trace });
    await act(kernel);
    return longest;
  }

  test("of any kind arrives whole, beside a message with an excerpt", async () => {
    const longest = await longestMessage(async (kernel) => {
      const { result } = await run(kernel, "kept = 'aé' * 2_000_000\nkept");
      expect(result?.["text/plain"] === `'${"aé".repeat(2_000_000)}'`).toBe(true);
      const { displays } = await run(
        kernel,
        "display({'application/json': {'a': ['b' * 1000] * 3000}, 'text/plain': 'short', 'text/html': 'c' * 2_000_000}, raw=True)",
      );
      expect(displays[0]?.data["text/plain"]).toBe("short");
      expect(displays[0]?.data["text/html"] === "c".repeat(2_000_000)).toBe(true);
      expect(displays[0]?.data["application/json"]).toEqual({ a: Array(3000).fill("b".repeat(1000)) });
      const { error, outcome } = await run(kernel, "raise ValueError('d' * 3_000_000)");
      expect({ outcome, name: error?.name }).toEqual({ outcome: "error", name: "ValueError" });
      const { stdout } = await run(kernel, "import sys\n_ = sys.stdout.write('é' * 5_000_000)");
      expect(stdout === "é".repeat(5_000_000)).toBe(true);
      expect((await run(kernel, "len(kept)")).result?.["text/plain"]).toBe("4000000");
    });
    expect(longest).toBeGreaterThan(100_000);
    expect(longest).toBeLessThan(1_100_000 * 6); // é is six characters in a trace
  });

  test("has an excerpt of its text and, for an exception, all of its traceback; it comes in its message where the folder is gone", async () => {
    await using kernel = await startZmq(python);
    const wholes: (string | null)[] = [];
    const excerpts: string[] = [];
    for await (const event of kernel.execute("print('x')\nraise ValueError('d' * 3_000_000)")) {
      if (event.type !== "error") continue;
      excerpts.push(event.message, event.traceback.join("\n"));
      wholes.push(await readContent(event.large as LargeContent, 1e8));
    }
    for (const excerpt of excerpts) expect(excerpt).toMatch(/\[… [\d,]+ characters are left out here …\]/);
    expect(wholes[0]).toContain("d".repeat(3_000_000));
    rmSync(join(folder, foldersLeft()[0] as string), { recursive: true });
    const { result } = await run(kernel, "'x' * 2_000_000");
    expect(String(result?.["text/plain"]).length).toBe(2_000_002);
  });

  test("can be read until the next event is asked for, and leaves no file behind; nor does its kernel a folder", async () => {
    const kernel = await startZmq(python);
    const contents: LargeContent[] = [];
    for await (const event of kernel.execute(
      "for _ in range(20): display({'text/plain': 'x' * 2_000_000}, raw=True)",
    )) {
      if (event.type === "display") contents.push(...Object.values(event.large ?? {}));
    }
    expect(contents.length).toBe(20);
    expect(contents.map(({ problem }) => problem)).toEqual(Array(20).fill(null));
    await expect(readContentStrictly(contents[0] as LargeContent)).rejects.toThrow("until the next event");
    await until("the files are gone", () => filesLeft().length === 0);
    // Left in the middle.
    for await (const event of kernel.execute(
      "for _ in range(20): display({'text/plain': 'x' * 2_000_000}, raw=True)",
    )) {
      if (event.type === "display") break;
    }
    await until("the files are gone", () => filesLeft().length === 0);
    await kernel.close();
    await until("the folder is gone", () => foldersLeft().length === 0);
  });

  test("of a kernel that has died since can still be read", async () => {
    const kernel = await startZmq(python);
    const events = kernel.execute(
      "display({'text/plain': 'x' * 2_000_000}, raw=True)\nimport os, time; time.sleep(0.3); os._exit(1)",
    );
    const texts: (string | null)[] = [];
    const reading = (async () => {
      for await (const event of events) {
        if (event.type !== "display") continue;
        await kernel.exited;
        texts.push(await readContent(event.large?.["text/plain"] as LargeContent, 1e8));
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: "kernel-died" });
    expect(texts[0] === "x".repeat(2_000_000)).toBe(true);
    await until("the folder is gone", () => foldersLeft().length === 0);
  });

  test("without space has an excerpt, and says why the rest is lost", async () => {
    await using kernel = await startZmq(python);
    const limit =
      "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, -1))";
    await run(kernel, limit);
    for await (const event of kernel.execute("'x' * 3_000_000")) {
      if (event.type !== "result") continue;
      expect(event.large?.["text/plain"]).toMatchObject({ bytes: 3_000_002, problem: "File too large" });
      expect(event.data["text/plain"]).toContain("characters are left out here");
    }
    // Values that fit are not lost with it.
    for await (const event of kernel.execute(
      "display({'text/html': 'h' * 1_200_000, 'text/plain': 'x' * 3_000_000}, raw=True)",
    )) {
      if (event.type !== "display") continue;
      expect(event.large?.["text/plain"]?.problem).toBe("File too large");
      expect(await readContent(event.large?.["text/html"] as LargeContent, 1e8)).toBe("h".repeat(1_200_000));
    }
    await until("the files are gone", () => filesLeft().length === 0);
    const { thrown } = await runToDeath(kernel, "import os; os._exit(3)");
    expect(thrown).toMatchObject({ code: "kernel-died" });
  });
});

describe("files that code in a kernel names", () => {
  const message = (files: JsonObject): JupyterMessage => ({
    channel: "iopub",
    header: { msg_id: "1", session: "s", username: "", date: "", msg_type: "display_data", version: "5.4" },
    parentHeader: {},
    metadata: {},
    content: { data: {}, metadata: {}, [filesMember]: files },
    buffers: [],
  });

  test("are read only inside its own folder, and through no link", async () => {
    const handed = HandedFiles.make() as HandedFiles;
    const secret = join(folder, "secret");
    writeFileSync(secret, "secret");
    const names = { link: "0".repeat(16), pipe: "1".repeat(16), good: "2".repeat(16) };
    symlinkSync(secret, join(handed.folder, names.link));
    mkdirSync(join(handed.folder, names.pipe));
    writeFileSync(join(handed.folder, names.good), "good");
    const file = (name: unknown) => ({ file: name, bytes: 6, json: false }) as JsonObject;
    const paths = ["../secret", secret, "", "..", ".", null, 7, names.link, names.pipe, "3".repeat(16)];
    const { large } = handed.in(message(Object.fromEntries(paths.map((name, at) => [`bad ${at}`, file(name)]))));
    expect(Object.keys(large ?? {}).length).toBe(paths.length);
    for (const content of Object.values(large ?? {})) {
      expect(await readContent(content, 1e6)).toBe(null);
      content.release();
    }
    const good = handed.in(message({ "text/plain": file(names.good) })).large?.["text/plain"];
    expect(good && (await readContent(good, 1e6))).toBe("good");
    handed.close();
    expect(existsSync(handed.folder)).toBe(true);
    good?.release();
    await until("the folder is gone", () => !existsSync(handed.folder));
    expect(existsSync(secret)).toBe(true);
  });

  test.each([null, "text", 3, [], { a: null, b: "x", c: {}, d: [] }])("may be nonsense: %j", (files) => {
    const handed = HandedFiles.make() as HandedFiles;
    expect(Object.values(handed.in(message(files as JsonObject)).large ?? {})).toEqual([]);
    handed.close();
  });
});

async function readContentStrictly(content: LargeContent): Promise<void> {
  for await (const _chunk of content.chunks());
}
