import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import type { SinkDump } from "../../src/output/captured-text.ts";
import { Sink, type SinkOptions } from "../../src/output/sink.ts";
import { sanitize } from "../../src/output/text/sanitize.ts";
import { repetitions } from "../environment/variants.ts";
import { ArtifactInMemory } from "./artifact-in-memory.ts";
import { anyOutput, chunkSizes, inChunks } from "./terminal/terminal-output.ts";

const small = { bytes: 60, headBytes: 20, lines: 8, lineBytes: 30 };
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`).join("");

describe("an output within the budget", () => {
  test("is the result, without an artifact", async () => {
    const artifact = new ArtifactInMemory();
    const sink = sinkInto(artifact);
    sink.write("hello\n", "stdout");
    sink.write("world", "stdout");
    expect(await sink.dump()).toEqual({
      text: "hello\nworld",
      truncated: false,
      totalLines: 2,
      totalBytes: 11,
      shownLines: 2,
      shownBytes: 11,
      elidedLines: 0,
      elidedBytes: 0,
      artifact: null,
      artifactProblem: null,
    } satisfies SinkDump);
    expect(artifact.writes).toBe(0);
  });

  test("nothing at all is an empty text", async () => {
    expect(await new Sink().dump()).toMatchObject({ text: "", totalLines: 0, truncated: false });
  });
});

describe("an output beyond the budget", () => {
  test("shows its beginning and its end, and one line about the omitted part and its address", async () => {
    const artifact = new ArtifactInMemory();
    const sink = sinkInto(artifact);
    sink.write(numbered(1, 1000), "stdout");
    const dump = await sink.dump();
    expect(dump.text).toBe(
      `${numbered(1, 2)}… 993 lines (8,833 bytes) left out; all of it: artifact://test-1 …\n${numbered(996, 1000)}`,
    );
    expect(dump).toMatchObject({ truncated: true, elidedLines: 993, elidedBytes: 8833, artifact: { id: "test-1" } });
    expect(artifact.text).toBe(numbered(1, 1000));
    expect(artifact.isClosed).toBe(true);
  });

  test("says so at the end when only the middle of a long line is missing", async () => {
    const sink = sinkInto(new ArtifactInMemory());
    sink.write("x".repeat(50), "stdout");
    const { text } = await sink.dump();
    expect(text).toBe(
      `${"x".repeat(15)}[… 20 bytes of this line left out …]${"x".repeat(15)}\n` +
        "… parts of 1 long line (20 bytes) left out; all of it: artifact://test-1 …\n",
    );
  });

  test("reports omitted lines and omitted parts of lines", async () => {
    const sink = new Sink({ budget: { ...small, lines: 2 } });
    sink.write(`${"x".repeat(50)}\n`.repeat(3), "stdout");
    const { text } = await sink.dump();
    expect(text).toContain("… 2 lines and parts of 1 long line (122 bytes) left out …\n");
  });

  test("continues when it could not be kept, and gives the reason instead of an address", async () => {
    const sink = sinkInto(new ArtifactInMemory({ failure: "the disk is full" }));
    sink.write(numbered(1, 1000), "stdout");
    const dump = await sink.dump();
    expect(dump).toMatchObject({ artifact: null, artifactProblem: "the disk is full" });
    expect(dump.text).toContain("left out; the full output could not be kept: the disk is full …\n");
    expect(dump.text).not.toContain("artifact://");
  });

  test("continues when no artifact could be opened", async () => {
    const openArtifact = () => {
      throw new Error("the folder is gone");
    };
    const sink = new Sink({ budget: small, openArtifact });
    sink.write(numbered(1, 500), "stdout");
    sink.write(numbered(501, 1000), "stdout");
    expect(await sink.dump()).toMatchObject({
      totalLines: 1000,
      artifact: null,
      artifactProblem: "the folder is gone",
    });
  });

  test("makes the writer wait while the artifact is slow, and only then", async () => {
    const artifact = new ArtifactInMemory();
    const unblock = artifact.block();
    const sink = sinkInto(artifact);
    const chunk = "some line\n".repeat(10_000);
    const pressure: Promise<void>[] = [];
    let written = 0;
    while (pressure.length === 0 && written < 1000) {
      pressure.push(...[sink.write(chunk, "stdout") ?? []].flat());
      written++;
    }
    expect(written).toBeLessThan(30); // a megabyte or two
    unblock();
    await pressure[0];
    expect(sink.write(chunk, "stdout")).toBe(undefined);
    await sink.dump();
    expect(artifact.text).toBe(chunk.repeat(written + 1));
    expect(artifact.writes).toBeLessThan(10);
  });
});

test("an endless output does not need more memory than a long one", () => {
  const script = `
    const { Sink } = await import(process.argv[1]);
    const openArtifact = () => ({
      id: "x",
      write: (text) => new Promise((resolve) => setImmediate(resolve, Buffer.byteLength(text))),
      close: async () => ({ kept: true, id: "x", bytes: 0 }),
    });
    for (const piece of ["a line of text\\n", "no line ends ", "\\n"]) {
      const sink = new Sink({ openArtifact });
      sink.writeBlock("a display", { slot: "s" });
      sink.listen(() => undefined);
      for (let count = 0; count < 500; count++) {
        const chunk = Buffer.from(piece.repeat(64 * 1024 / piece.length)).toString();
        await sink.write(chunk, count % 2 ? "stdout" : "stderr");
      }
      await sink.dump();
    }`;
  const heapLimit = "--max-old-space-size=16"; // megabytes; each output has twice as many
  const args = [heapLimit, "--input-type=module", "-e", script, inRepository("dist/output/sink.js")];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(status).toBe(0);
});

describe("for any output, chunked in any way", () => {
  const budgets = fc.constantFrom(small, { bytes: 10, headBytes: 0, lines: 3, lineBytes: 5 }, undefined);

  test("the result is the same, its counts add up, and the artifact has all of the text", async () => {
    await fc.assert(
      fc.asyncProperty(anyOutput, budgets, chunkSizes, async (output, budget, sizes) => {
        const artifact = new ArtifactInMemory();
        const sink = sinkInto(artifact, budget && { budget });
        for (const chunk of inChunks(output, sizes)) sink.write(chunk, "stdout");
        const dump = await sink.dump();

        const whole = sinkInto(new ArtifactInMemory(), budget && { budget });
        whole.write(output, "stdout");
        expect(dump).toEqual(await whole.dump());

        expect(dump.shownBytes + dump.elidedBytes).toBe(dump.totalBytes);
        expect(dump.shownLines + dump.elidedLines).toBe(dump.totalLines);
        expect(dump.truncated).toBe(dump.elidedBytes > 0);
        const complete = dump.truncated ? artifact.text : dump.text;
        expect(complete).toBe(sanitize(output));
        expect(Buffer.byteLength(complete)).toBe(dump.totalBytes);
      }),
      { numRuns: repetitions(200) },
    );
  });
});

describe("stdout and stderr", () => {
  test("share their lines in order of arrival, as on a terminal", async () => {
    const sink = new Sink();
    sink.write("working… ", "stdout");
    sink.write("warning!\n", "stderr");
    sink.write("done\n", "stdout");
    expect((await sink.dump()).text).toBe("working… warning!\ndone\n");
  });

  test("half a sequence on one does not swallow the other", async () => {
    const sink = new Sink();
    sink.write("a\x1b]0;ti", "stderr");
    sink.write("b\x1b[3", "stdout");
    sink.write("tle\x07c", "stderr");
    sink.write("1md\n", "stdout");
    expect((await sink.dump()).text).toBe("abcd\n");
  });
});

describe("blocks", () => {
  test("stand on lines of their own", async () => {
    const sink = new Sink();
    sink.writeBlock("first");
    sink.write("open", "stdout");
    sink.writeBlock("\x1b[31msecond\x1b[0m\n");
    sink.writeBlock("");
    sink.write("rest", "stdout");
    expect((await sink.dump()).text).toBe("first\nopen\nsecond\nrest");
  });

  test("are not rewritten by a bar that continues below them", async () => {
    const sink = new Sink();
    sink.write("\r 10%\r 50%", "stderr");
    sink.writeBlock("shown\nmeanwhile");
    sink.write("\r\x1b[A100%\n", "stderr");
    expect((await sink.dump()).text).toBe(" 50%\nshown\nmeanwhile\n100%\n");
  });

  test("without text leave a bar alone", async () => {
    const sink = new Sink();
    sink.write("\r 10%", "stderr");
    sink.writeBlock("\x1b[0m");
    sink.write("\r100%\n", "stderr");
    expect((await sink.dump()).text).toBe("100%\n");
  });

  test("with the same slot are all replaced in place, and a bar below continues", async () => {
    const sink = new Sink();
    sink.writeBlock("state 1", { slot: "s" });
    sink.write("\r 10%", "stderr");
    sink.update("s", "state 2\nof 2");
    sink.write("\r100%\n", "stderr");
    sink.writeBlock("state 1 again", { slot: "s" });
    sink.update("s", "state 3");
    expect((await sink.dump()).text).toBe("state 3\n100%\nstate 3\n");
  });

  test("that were empty can be filled", async () => {
    const sink = new Sink();
    sink.write("open", "stdout");
    sink.writeBlock("", { slot: "s" });
    sink.write("more\n", "stdout");
    sink.update("s", "filled");
    expect((await sink.dump()).text).toBe("open\nfilled\nmore\n");
  });

  test("that are out of reach get their last text at the end", async () => {
    const artifact = new ArtifactInMemory();
    const sink = sinkInto(artifact);
    sink.writeBlock("state 1", { slot: "s" });
    sink.write(numbered(1, 100_000), "stdout");
    sink.update("s", "state 2");
    sink.update("s", "state 3");
    const { text } = await sink.dump();
    expect(text).toMatch(/^state 1\n/);
    expect(text).toMatch(/line 100000\nstate 3\n$/);
    expect(artifact.text).toBe(`state 1\n${numbered(1, 100_000)}state 3\n`);
  });
});

describe("clearing", () => {
  test("forgets everything so far", async () => {
    const sink = new Sink();
    sink.write("old\nopen", "stdout");
    sink.writeBlock("shown", { slot: "s" });
    sink.clear({ wait: false });
    sink.write("new\n", "stdout");
    expect(await sink.dump()).toMatchObject({ text: "new\n", totalLines: 1, totalBytes: 4 });
  });

  test("waits for the next output if that is wanted", async () => {
    const sink = new Sink();
    sink.write("old\n", "stdout");
    sink.clear({ wait: true });
    expect(sink.visible).toBe("old\n");
    sink.writeBlock("new");
    expect(sink.visible).toBe("new\n");
    sink.clear({ wait: true });
    expect((await sink.dump()).text).toBe("new\n");
  });

  test("restarts the artifact, and needs none if the rest is short", async () => {
    const artifact = new ArtifactInMemory();
    const sink = sinkInto(artifact);
    sink.write(numbered(1, 1000), "stdout");
    sink.clear({ wait: false });
    sink.write(numbered(2001, 3000), "stdout");
    expect(await sink.dump()).toMatchObject({ totalLines: 1000, artifact: { id: "test-1" } });
    expect(artifact.text).toBe(numbered(2001, 3000));

    const other = sinkInto(new ArtifactInMemory());
    other.write(numbered(1, 1000), "stdout");
    other.clear({ wait: false });
    other.write("short\n", "stdout");
    expect(await other.dump()).toMatchObject({ text: "short\n", truncated: false, artifact: null });
  });
});

describe("a preview of running work", () => {
  test("shows the last bytes, in whole characters", () => {
    const sink = new Sink();
    sink.write("one\ntwo\n日本", "stdout");
    expect(sink.tail(8)).toBe("o\n日本");
    expect(sink.tail(5)).toBe("本");
    expect(sink.tail(1000)).toBe("one\ntwo\n日本");
  });

  test("is the same whether or not lines have gone to the artifact", () => {
    const sink = sinkInto(new ArtifactInMemory());
    sink.write(numbered(1, 100_000), "stdout");
    expect(sink.tail(25)).toBe(numbered(1, 100_000).slice(-25));
  });
});

test("after the dump, later output is ignored, and the dump stays the same", async () => {
  const sink = new Sink();
  sink.write("text\n", "stdout");
  const dump = sink.dump();
  sink.write("more\n", "stdout");
  sink.writeBlock("more");
  sink.clear({ wait: false });
  expect(await sink.dump()).toBe(await dump);
  expect((await dump).text).toBe("text\n");
});

function sinkInto(artifact: ArtifactInMemory, options: SinkOptions = { budget: small }): Sink {
  return new Sink({ ...options, openArtifact: () => artifact });
}
