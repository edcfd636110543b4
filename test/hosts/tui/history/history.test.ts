import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { History } from "../../../../src/hosts/tui/history/history.ts";
import { HistoryFile } from "../../../../src/hosts/tui/history/history-file.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "granary-history-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("the history file", () => {
  test("keeps input, including several lines, for the next console", async () => {
    const entries = ["x = 1", "for i in x:\n    print('a \"quote\"')", "日本 😀"];
    for (const entry of entries) await new HistoryFile(home).add(entry);
    expect(await new HistoryFile(home).read()).toEqual(entries);
  });

  test("is readable only by its owner", async () => {
    const file = new HistoryFile(home);
    await file.add("password = 'secret'");
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
  });

  test("loses nothing when several consoles add to it at once", async () => {
    const consoles = [new HistoryFile(home), new HistoryFile(home), new HistoryFile(home)];
    await Promise.all(
      consoles.map(async (file, who) => {
        for (let at = 0; at < 5; at++) await file.add(`${who}.${at}`);
      }),
    );
    const entries = await new HistoryFile(home).read();
    expect([...entries].sort()).toEqual([0, 1, 2].flatMap((who) => [0, 1, 2, 3, 4].map((at) => `${who}.${at}`)));
  });

  test("skips damaged lines, and works without a file", async () => {
    const file = new HistoryFile(home);
    expect(await file.read()).toEqual([]);
    writeFileSync(file.path, '"good"\n{broken\n42\n"also good"\n"cut of');
    expect(await file.read()).toEqual(["good", "also good"]);
  });

  test("is trimmed to the latest entries when it has grown long", async () => {
    const file = new HistoryFile(home);
    writeFileSync(file.path, Array.from({ length: 10_001 }, (_, at) => `"${at}"\n`).join(""));
    await file.read();
    const lines = readFileSync(file.path, "utf8").trimEnd().split("\n");
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([5000, '"5001"', '"10000"']);
  });
});

describe("up and down", () => {
  test("go through the input of this and earlier consoles, and return to the current input", async () => {
    const file = new HistoryFile(home);
    await file.add("earlier");
    const history = new History(file);
    history.add("now");
    await history.saved;
    expect([history.older("draft"), history.older(""), history.older("")]).toEqual(["now", "earlier", null]);
    expect([history.newer(), history.newer(), history.newer()]).toEqual(["now", "draft", null]);
  });

  test("skip repeated and blank entries", async () => {
    const history = new History(new HistoryFile(home));
    for (const entry of ["a", "a", " ", "b"]) {
      history.add(entry);
      await history.saved;
    }
    expect(history.latestFirst).toEqual(["b", "a"]);
    expect(await new HistoryFile(home).read()).toEqual(["a", "b"]);
  });
});
