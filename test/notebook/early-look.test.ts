import { mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { lookEarly } from "../../src/notebook/file/early-look.ts";
import { readWholeFile } from "../../src/notebook/file/file-content.ts";
import { until } from "../kernel/until.ts";

const folder = mkdtempSync(join(tmpdir(), "granary-look-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = join(folder, "notebook.ipynb");
const content = [Buffer.from("as it "), Buffer.from("was read")];

describe("an early look at a file that will be replaced", () => {
  beforeEach(async () => {
    writeFileSync(path, Buffer.concat(content));
    await until("the file has been left alone for a while", () => Date.now() - statSync(path).ctimeMs > 150);
  });

  test("still holds when the file is unchanged", async () => {
    expect(await lookEarly(path, content)()).toBe(true);
  });

  const changes: Readonly<Record<string, () => void>> = {
    "was written in the same length": () => writeFileSync(path, "as it was rEad"),
    "was written and given its old times back": () => {
      const { atime, mtime } = statSync(path);
      writeFileSync(path, "as it was rEad");
      utimesSync(path, atime, mtime);
    },
    "was replaced by another": () => {
      writeFileSync(`${path}.new`, Buffer.concat(content));
      renameSync(`${path}.new`, path);
    },
    "is gone": () => rmSync(path),
  };

  test.each(Object.entries(changes))("does not hold when the file %s since", async (_, change) => {
    const holds = lookEarly(path, content);
    expect(await holds()).toBe(true);
    change();
    expect(await holds()).toBe(false);
  });

  test.each(Object.entries(changes))(
    "does not read a file again that was just read, and notices when it %s since",
    async (_, change) => {
      const { seen } = await readWholeFile(path);
      expect(seen).not.toBeNull();
      // Other bytes than the file's: a second read would notice.
      const holds = lookEarly(path, [Buffer.from("not the bytes")], seen);
      expect(await holds()).toBe(true);
      change();
      expect(await holds()).toBe(false);
    },
  );

  test("does not rely on facts of long ago, or of a file that changed a moment before", async () => {
    const { seen } = await readWholeFile(path);
    const longAgo = seen && { ...seen, at: seen.at - 60_000 };
    expect(await lookEarly(path, [Buffer.from("not the bytes")], longAgo)()).toBe(false);
    writeFileSync(path, Buffer.concat(content));
    expect((await readWholeFile(path)).seen).toBeNull();
  });

  test("does not hold when the file was different already, or is missing", async () => {
    expect(await lookEarly(path, [Buffer.from("as it was once")])()).toBe(false);
    expect(await lookEarly(join(folder, "nowhere"), content)()).toBe(false);
  });
});
