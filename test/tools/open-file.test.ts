import { appendFileSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { namedFile } from "../../src/tools/files/named-file.ts";
import { openFile } from "../../src/tools/files/open-file.ts";
import { temporaryFolder } from "../runtime/runtimes.ts";

const folder = temporaryFolder();
const context = { cwd: folder, roots: [folder] };

describe("an open file", () => {
  test("is read to its end, even when another process replaces it", async () => {
    writeFileSync(join(folder, "notebook.ipynb"), "version 0");
    await using file = await openFile(await namedFile(context, "notebook.ipynb"));
    writeFileSync(join(folder, "new"), "version 1");
    renameSync(join(folder, "new"), join(folder, "notebook.ipynb"));
    expect(String(await file.whole(9))).toBe("version 0");
    expect(file).toMatchObject({ bytes: 9, beginning: Buffer.from("version 0") });
  });

  test("is not read beyond the limit, even when it grows in between", async () => {
    writeFileSync(join(folder, "growing.txt"), "1234");
    await using file = await openFile(await namedFile(context, "growing.txt"));
    expect([String(await file.whole(4)), await file.whole(3)]).toEqual(["1234", null]);
    appendFileSync(join(folder, "growing.txt"), "5");
    expect([await file.whole(4), String(await file.whole(5))]).toEqual([null, "12345"]);
  });

  test("stays the only open descriptor; a refused one leaves none", async () => {
    writeFileSync(join(folder, "plain.txt"), "");
    mkdirSync(join(folder, "sub"));
    const before = openDescriptors();
    {
      await using _file = await openFile(await namedFile(context, "plain.txt"));
      expect(openDescriptors()).toBe(before + (process.platform === "linux" ? 1 : 0));
    }
    await expect(openFile(await namedFile(context, "sub"))).rejects.toMatchObject({ code: "is-folder" });
    await expect(openFile(await namedFile(context, "."))).rejects.toMatchObject({ code: "is-folder" });
    await expect(openFile(await namedFile(context, "no-such"))).rejects.toMatchObject({ code: "no-such-file" });
    expect(openDescriptors()).toBe(before);
  });

  test("is never a link that appeared after the check: that is reported, with a remedy", async () => {
    const place = await namedFile(context, "swapped.txt");
    symlinkSync("/etc/passwd", place.real);
    await expect(openFile({ ...place, within: [folder] })).rejects.toMatchObject({ code: "outside-roots" });
  });
});

/** Zero where the system does not report it. */
function openDescriptors(): number {
  return process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
}
