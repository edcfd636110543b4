import { createReadStream, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { takeLines } from "../../src/tools/files/text/take-lines.ts";
import { createReadTool } from "../../src/tools/read.ts";
import { notebookText } from "../execute/notebook-runs.ts";
import { temporaryFolder } from "../runtime/runtimes.ts";
import { unicodeText } from "../unicode-text.ts";
import { contentOf, contextIn, textOf } from "./contexts.ts";

const folder = temporaryFolder();

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return name;
}

async function read(path: string, more: object = {}) {
  await using context = await contextIn(folder);
  const result = await createReadTool(context).run({ path, ...more });
  return { ...result, text: textOf(result) };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

describe("a text file", () => {
  test("is shown unchanged", async () => {
    const content = "one\r\n\ttwo \u00e9 \u{1f600}\n\nlast without an end";
    const { text, details, structured, isError } = await read(file("exact.txt", content));
    expect({ text, isError }).toEqual({ text: content, isError: false });
    expect(details).toEqual({
      path: join(folder, "exact.txt"),
      form: "text",
      text: content,
      firstLine: 1,
      totalLines: 4,
      truncation: null,
    });
    expect(structured).toMatchObject({ form: "text", firstLine: 1, lastLine: 4, totalLines: 4 });
  });

  test.each([
    ["2-3", "line 2\nline 3\n[lines 2-3 of 10]"],
    ["9-", "line 9\nline 10\n[lines 9-10 of 10]"],
    ["4", "line 4\n[line 4 of 10]"],
    ["-2", "line 9\nline 10\n[lines 9-10 of 10]"],
    ["1-2,9-99", "[lines 1-2]\nline 1\nline 2\n[lines 9-10]\nline 9\nline 10\n[lines 1-2,9-10 of 10]"],
    ["5-6,1", "[lines 1-1]\nline 1\n[lines 5-6]\nline 5\nline 6\n[lines 1,5-6 of 10]"],
    ["raw:2", "line 2\n[line 2 of 10]"],
  ])("with :%s only those lines are shown", async (ranges, expected) => {
    expect((await read(`${file("ten.txt", numbered(10))}:${ranges}`)).text).toBe(expected);
  });

  test.each([
    ["ten.txt:11", "Error: There are no such lines: ten.txt has 10 lines."],
    ["ten.txt:0", 'Error: "0" is not a range of lines. Lines count from 1'],
    ["ten.txt:5-2", 'Error: "5-2" is not a range of lines.'],
    ["tne.txt", `Error: There is no ${join(folder, "tne.txt")}. Did you mean ten.txt?`],
    ["no/such/file", `Error: There is no ${join(folder, "no/such/file")}. Its folder does not exist.`],
    ["ten.txt/x", "a part of that path is not a folder"],
    ["ten.txt:x-3", `Error: There is no ${join(folder, "ten.txt:x-3")}. Lines are named like this: ten.txt:10-20.`],
    ["a\0b", "Error: A path cannot have a NUL character in it."],
    ["/dev/null", "Error: /dev/null is not a file but a pipe, a socket or a device."],
  ])("%s: a failure comes with its remedy", async (path, expected) => {
    file("ten.txt", numbered(10));
    const { text, isError } = await read(path);
    expect(isError).toBe(true);
    expect(text).toContain(expected);
  });

  test("may have a colon in its name", async () => {
    expect((await read(file("a:1-2", "all\nof\nit\n"))).text).toBe("all\nof\nit\n");
  });

  test("that is long is shown up to the budget, with how to read on", async () => {
    const { text, details } = await read(file("long.txt", numbered(10_000)));
    expect(text.endsWith("line 1749\n[lines 1-1749 of 10,000; read on with long.txt:1750-]")).toBe(true);
    expect(details).toMatchObject({ firstLine: 1, totalLines: 10_000 });
    expect(details?.truncation).toMatchObject({ totalLines: 10_000, shownLines: 1749, elidedLines: 8251 });
    expect((await read("long.txt:1750-")).text.startsWith("line 1750\n")).toBe(true);
  });

  test("with lines that are too long shows their beginnings", async () => {
    const { text } = await read(file("wide.txt", `${"\u00e9".repeat(5000)}\nshort\n`));
    expect(text).toBe(
      `${"\u00e9".repeat(2048)}[… 5,905 bytes of this line left out …]\nshort\n[1 line too long to be shown whole]`,
    );
  });

  test("that is not UTF-8 is shown, with a note", async () => {
    const { text } = await read(file("latin.txt", Buffer.from("caf\xe9\n", "latin1")));
    expect(text).toBe("caf\ufffd\n[not valid UTF-8: \ufffd marks invalid bytes]");
  });

  test("that is empty says so", async () => {
    expect((await read(file("empty.txt", ""))).text).toBe("[empty]");
  });

  test("of the system, which has no size, is read", async () => {
    expect((await read("/proc/self/status:1")).text).toMatch(/^Name:/);
  });

  test("of gigabytes is read in parts without loading it into memory", async () => {
    const huge = join(folder, "huge.bin");
    writeFileSync(huge, "first\nsecond\n");
    // Sparse: it takes no space on the disk.
    truncateSync(huge, 4e9);
    const taken = await takeLines(createReadStream(huge, { highWaterMark: 1 << 20 }), [{ from: 2, to: 2 }], {
      bytes: 1000,
      lines: 10,
      lineBytes: 100,
    });
    expect(taken).toMatchObject({ parts: [{ from: 2, to: 2, text: "second\n" }], totalLines: null });
  });
});

test("lines are the same for any split into chunks", async () => {
  const texts = fc.array(fc.oneof(fc.constant("\n"), unicodeText({ maxLength: 8 })), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(texts, fc.nat(20), fc.nat(10), fc.integer({ min: 1, max: 9 }), async (parts, from, more, size) => {
      const bytes = Buffer.from(parts.join(""));
      const lines = bytes.toString().match(/[^\n]*\n|[^\n]+/g) ?? [];
      const wanted = [{ from: from + 1, to: from + 1 + more }];
      const budget = { bytes: 1e6, lines: 1e6, lineBytes: 1e6 };
      const taken = await takeLines(inPieces(bytes, size), wanted, budget);
      expect(taken.totalLines).toBe(lines.length);
      expect(taken.parts.map(({ text }) => text).join("")).toBe(lines.slice(from, from + 1 + more).join(""));
    }),
  );
});

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe("a notebook", () => {
  test.each([1.5e9, 5e9, 200e9])("of %d bytes is refused before it is read", async (bytes) => {
    truncateSync(join(folder, file("huge.ipynb", "")), bytes);
    const { text, isError } = await read("huge.ipynb");
    const sentence = `Error: ${join(folder, "huge.ipynb")} cannot be read: it is too large.`;
    expect({ text, isError }).toEqual({ text: sentence, isError: true });
  });

  const cells = ["x = 1\nx", { cell_type: "markdown", source: "# Title" }];

  test("comes as cell text, and line ranges apply to that text", async () => {
    file("a.ipynb", notebookText(cells));
    expect((await read("a.ipynb")).text).toBe("# %% [code] cell:0\nx = 1\nx\n# %% [markdown] cell:1\n# # Title\n");
    expect(await read("a.ipynb:2-3")).toMatchObject({
      text: "x = 1\nx\n[lines 2-3 of 5]",
      details: { form: "cells", firstLine: 2, totalLines: 5 },
    });
  });

  test("comes as JSON with :raw", async () => {
    const content = notebookText(cells);
    file("b.ipynb", content);
    expect((await read("b.ipynb:raw")).text).toBe(content);
    expect((await read("b.ipynb:raw:1")).text.startsWith("{\n[line 1 of")).toBe(true);
  });

  test("shows its outputs on request", async () => {
    const outputs = [{ output_type: "stream", name: "stdout", text: "hello\n" }];
    file("c.ipynb", notebookText([{ source: "print('hello')", outputs }]));
    expect((await read("c.ipynb", { outputs: 100 })).text).toContain("# %% [output] cell:0 (read-only)\nhello\n");
  });

  test("that is invalid says why, and its bytes can still be read", async () => {
    file("broken.ipynb", "{");
    expect((await read("broken.ipynb")).text).toMatch(/^Error: .*broken\.ipynb/);
    expect((await read("broken.ipynb:raw")).text).toBe("{");
  });
});

describe("anything that is not text", () => {
  test("a folder is listed: folders first, with the sizes of files", async () => {
    mkdirSync(join(folder, "some/inner"), { recursive: true });
    file("some/b.txt", "12345");
    file("some/a.txt", "");
    symlinkSync("a.txt", join(folder, "some/link"));
    expect(await read("some")).toMatchObject({
      text: "inner/\na.txt (0 bytes)\nb.txt (5 bytes)\nlink (link)",
      details: { form: "folder", totalLines: 4 },
    });
    mkdirSync(join(folder, "nothing"));
    expect((await read("nothing")).text).toBe("[an empty folder]");
  });

  test("a PNG comes as a picture, a broken one and a GIF as an error that names the remedy", async () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    const shown = await read(file("dot.png", png));
    expect(shown.text).toBe("[image/png 1x1, 70 bytes]");
    expect(contentOf(shown, "image")).toEqual([
      { type: "image", base64: png.toString("base64"), mimeType: "image/png" },
    ]);
    expect((await read(file("cut.png", png.subarray(0, 50)))).text).toMatch(/^Error: .*cut\.png cannot be shown/);
    const gif = Buffer.from("R0lGODlhAQABAAAAACH5BAEAAAAALAAAAAABAAEAAAIBAAA=", "base64");
    expect((await read(file("dot.gif", gif))).text).toContain("Convert it to a PNG first");
  });

  test.each([
    ["a PDF document", "%PDF-1.7\n"],
    ["compressed with gzip", "\x1f\x8b\x08"],
    ["a binary file", "abc\x00def"],
  ])("%s is refused and named", async (what, content) => {
    const { text } = await read(file("binary", Buffer.from(content, "latin1")));
    expect(text).toBe(`Error: ${join(folder, "binary")} is not text: it is ${what}. Read it with Python or a command.`);
  });
});

describe("an artifact", () => {
  test("is read by its address, in parts, and an unknown one lists the known ones", async () => {
    await using context = await contextIn(folder);
    const tool = createReadTool(context);
    const kept = await context.runtime.artifactsOf("main").save(numbered(100), "txt");
    const address = kept.kept ? `artifact://${kept.id}` : "";
    const part = await tool.run({ path: `${address}:99-` });
    expect(textOf(part)).toBe("line 99\nline 100\n[lines 99-100 of 100]");
    expect(part.details).toMatchObject({ path: address, form: "artifact", firstLine: 99 });
    expect(await tool.run({ path: `${address}?lines=99-` })).toEqual(part);
    expect(textOf(await tool.run({ path: `${address}?lines=1%2C100` }))).toContain("line 1\n");
    expect(textOf(await tool.run({ path: `${address}?lines=all` }))).toMatch(/^Error: "all" is not a range of lines/);
    expect(textOf(await tool.run({ path: "artifact://main-999" }))).toMatch(/^Error: There is no artifact main-999/);
  });

  test("has its kind when it is shown whole; a part is only text", async () => {
    await using context = await contextIn(folder);
    const kept = await context.runtime.artifactsOf("main").save('{\n"a": 1\n}\n', "json");
    const path = kept.kept ? `artifact://${kept.id}` : "";
    const kinds = [path, `${path}?lines=1-2`].map(
      async (each) => (await createReadTool(context).run({ path: each })).details,
    );
    expect((await Promise.all(kinds)).map((details) => details?.mimeType)).toEqual(["application/json", undefined]);
  });

  test("of another process can be read only without limits", async () => {
    await using other = await contextIn(folder);
    const kept = await other.runtime.artifactsOf("main").save("of another\n", "txt");
    const path = kept.kept ? `artifact://${kept.id}` : "";
    await using free = await contextIn(folder);
    expect(textOf(await createReadTool(free).run({ path }))).toBe("of another\n");
    for (const limits of [{ roots: [folder] }, { readOnly: true }, { ownArtifactsOnly: true }]) {
      await using limited = await contextIn(folder, limits);
      const tool = createReadTool(limited);
      expect(textOf(await tool.run({ path }))).toMatch(
        /^Error: There is no artifact main-\d+ among this process's own\. There are no artifacts\./,
      );
      const own = await limited.runtime.artifactsOf("main").save("its own\n", "txt");
      expect(textOf(await tool.run({ path: own.kept ? `artifact://${own.id}` : "" }))).toBe("its own\n");
    }
  });
});
