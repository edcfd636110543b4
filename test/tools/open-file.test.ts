import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type NamedFile, namedFile } from "../../src/tools/files/named-file.ts";
import { openFile } from "../../src/tools/files/open-file.ts";
import { temporaryFolder } from "../runtime/runtimes.ts";

const folder = temporaryFolder();
const context = { cwd: folder, roots: [folder] };

/** A place whose file other processes replace, as an atomic write does, each time it has just been opened. */
async function replacedPlace(name: string, times: number): Promise<NamedFile & { readonly versions: () => number }> {
  const path = join(folder, name);
  writeFileSync(path, "version 0");
  const place = await namedFile(context, name);
  let versions = 0;
  return {
    ...place,
    versions: () => versions,
    async stillInside() {
      await place.stillInside();
      if (versions === times) return;
      versions += 1;
      writeFileSync(`${path}.new`, `version ${versions}`);
      renameSync(`${path}.new`, path);
    },
  };
}

describe("a file that other processes replace while it is opened", () => {
  test("is read in its new version", async () => {
    const place = await replacedPlace("notebook.ipynb", 3);
    await using file = await openFile(place);
    expect(String(await file.whole())).toBe("version 3");
    expect(file).toMatchObject({ bytes: 9, beginning: Buffer.from("version 3") });
  });

  test("without end is given up, with a remedy; nothing stays open", async () => {
    const place = await replacedPlace("busy.ipynb", Number.POSITIVE_INFINITY);
    const before = openDescriptors();
    await expect(openFile(place)).rejects.toMatchObject({
      code: "changed-on-disk",
      message: `${place.path} was replaced while it was opened. Try again.`,
    });
    expect(place.versions()).toBe(20);
    expect(openDescriptors()).toBe(before);
  });

  test("and remove is reported as missing", async () => {
    const place = await namedFile(context, "removed.txt");
    writeFileSync(place.real, "");
    const removed = { ...place, stillInside: async () => rmSync(place.real) };
    await expect(openFile(removed)).rejects.toMatchObject({ code: "no-such-file" });
  });
});

/** Zero where the system does not report it. */
function openDescriptors(): number {
  return process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
}
