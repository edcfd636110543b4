import { spawn } from "node:child_process";
import { mkdir, readdir, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import type { ArtifactStore } from "../../../src/output/artifacts/artifact-store.ts";
import { findArtifact } from "../../../src/output/artifacts/read/find-artifact.ts";
import { listArtifacts } from "../../../src/output/artifacts/read/list-artifacts.ts";
import { removeOldFiles } from "../../../src/output/artifacts/remove-old-files.ts";
import { contentOf, dayMs, newRoot, openStore, saveText } from "./store-folder.ts";

async function idsIn(store: ArtifactStore): Promise<string[]> {
  return (await listArtifacts(store.root)).map(({ id }) => id).sort();
}

async function makeOlder(path: string, days: number): Promise<void> {
  const then = new Date(Date.now() - days * dayMs);
  await utimes(path, then, then);
}

/** Stores that were opened before may have been tidied just now. */
function openLater(root: string, { days }: { readonly days: number }): ArtifactStore {
  return openStore({ root, now: () => Date.now() + days * dayMs });
}

async function saveOld(store: ArtifactStore, text: string, days: number): Promise<string> {
  const id = await saveText(store, text);
  await makeOlder((await findArtifact(store.root, id)).path, days);
  return id;
}

describe("an artifact that becomes too large", () => {
  test("keeps its beginning, up to half of what all may take, and says so at its end and in its last line", async () => {
    const store = openStore({ maxBytes: 2001 });
    const artifact = store.open();
    for (let count = 0; count < 500; count++) await artifact.write("é".repeat(50));
    const incomplete =
      "Only the first 1.0 KB were kept: the limit of all artifacts is 2.0 KB (artifacts.maxMegabytes), and one may take up to half of it.";
    expect(await artifact.close()).toEqual({ kept: true, id: "agent-1-1", bytes: 1000, incomplete });
    expect(await contentOf(store, "agent-1-1")).toBe(`${"é".repeat(500)}\n[${incomplete}]\n`);
  });

  test("is whole again when it is restarted", async () => {
    const store = openStore({ maxBytes: 2000 });
    const artifact = store.open();
    await artifact.write("x".repeat(5000));
    await artifact.write("lost");
    await artifact.restart();
    await artifact.write("short");
    expect(await artifact.close()).toEqual({ kept: true, id: "agent-1-1", bytes: 5 });
    expect(await contentOf(store, "agent-1-1")).toBe("short");
  });

  test("is not kept at all when it is saved at once", async () => {
    const store = openStore({ maxBytes: 2000 });
    const reason =
      "It has 1.0 KB: the limit of all artifacts is 2.0 KB (artifacts.maxMegabytes), and one may take up to half of it.";
    expect(await store.save("x".repeat(1001), "json")).toEqual({ kept: false, reason });
    expect(await idsIn(store)).toEqual([]);
  });
});

describe("when all artifacts together become too large", () => {
  test("the oldest make room, also those of other sessions", async () => {
    const root = newRoot();
    const other = openStore({ root, session: "other", maxBytes: 1000 });
    const store = openStore({ root, maxBytes: 1000 });
    await saveOld(store, "x".repeat(300), 2);
    await saveOld(other, "x".repeat(300), 3);
    await saveOld(store, "x".repeat(300), 1);
    await saveText(openStore({ root, maxBytes: 1000 }), "x".repeat(300));
    expect(await idsIn(store)).toEqual(["agent-1-1", "agent-1-2", "agent-1-3"]);
  });

  test("one that is being written stays, however old", async () => {
    const store = openStore({ maxBytes: 1000 });
    const growing = store.open();
    await growing.write("x".repeat(400));
    const finished = await saveText(store, "x".repeat(400));
    await makeOlder((await findArtifact(store.root, growing.id)).path, 3);
    await saveText(openStore({ root: store.root, maxBytes: 1000 }), "x".repeat(400));
    expect(await idsIn(store)).toEqual([growing.id, "agent-1-3"]);
    expect(finished).toBe("agent-1-2");
    expect(await growing.close()).toMatchObject({ kept: true, bytes: 400 });
  });

  test("artifacts written at the same time share the space", async () => {
    const store = openStore({ maxBytes: 1_000_000 });
    const writers = [store.open(), store.open(), store.open()];
    for (let count = 0; count < 4; count++) {
      await Promise.all(writers.map((writer) => writer.write("x".repeat(100_000))));
    }
    const onDisk = (await listArtifacts(store.root)).reduce((sum, { bytes }) => sum + bytes, 0);
    expect(onDisk).toBeLessThanOrEqual(1_000_000);
    const ends = await Promise.all(writers.map((writer) => writer.close()));
    expect(ends.filter((end) => end.kept && end.bytes < 400_000)).not.toEqual([]);
  });

  test("in a host's folder only the session's own make room", async () => {
    const folder = newRoot();
    await mkdir(join(folder, "figure"), { recursive: true });
    const hosts = [join(folder, "figure-1.png"), join(folder, "figure", "figure-1.png"), join(folder, "notes.txt")];
    for (const path of hosts) {
      await writeFile(path, "x".repeat(5000));
      await makeOlder(path, 100);
    }
    const store = openStore({ folder, maxBytes: 1000 });
    await store.tidied;
    await saveOld(store, "x".repeat(500), 1);
    await saveText(openStore({ folder, maxBytes: 1000 }), "x".repeat(500));
    await saveText(openStore({ folder, maxBytes: 1000 }), "x".repeat(500));
    expect((await readdir(folder)).filter((name) => !name.startsWith(".")).sort()).toEqual([
      "agent-1-2.txt",
      "agent-1-3.txt",
      "figure",
      "figure-1.png",
      "notes.txt",
    ]);
    expect(await readdir(join(folder, "figure"))).toEqual(["figure-1.png"]);
  });
});

describe("when a store is opened", () => {
  test("old artifacts of all sessions are removed, and later the empty folders", async () => {
    const root = newRoot();
    const store = openStore({ root });
    const other = openStore({ root, session: "other" });
    await saveOld(other, "old", 8);
    await saveOld(store, "old", 8);
    await saveText(store, "new");
    await openLater(root, { days: 0.1 }).tidied;
    expect(await idsIn(store)).toEqual(["agent-1-2"]);
    await openLater(root, { days: 8 }).tidied;
    expect(await readdir(root)).toEqual([".tidied"]);
  });

  test("a folder checked within the last hour is not checked again", async () => {
    const store = openStore();
    await saveOld(store, "old", 3);
    await openStore({ root: store.root }).tidied;
    await openStore({ root: store.root, keepDays: 1 }).tidied;
    expect(await idsIn(store)).toEqual(["agent-1-1"]);
  });

  test("nothing is removed that is not an artifact, or not in the store", async () => {
    const root = newRoot();
    const outside = join(dirname(root), "outside");
    const others = [join(root, "agent-1-1.txt"), join(root, "agent-1", "other-1.txt"), join(root, "agent-1", "x.txt")];
    await mkdir(join(root, "agent-1"), { recursive: true });
    await mkdir(outside);
    await symlink(outside, join(root, "outside"));
    for (const path of [...others, join(outside, "outside-1.txt")]) {
      await writeFile(path, "");
      await makeOlder(path, 100);
    }
    await symlink(join(outside, "outside-1.txt"), join(root, "agent-1", "agent-1-7.txt"));
    const artifact = await saveOld(openStore({ root }), "an artifact", 100);
    const store = openLater(root, { days: 0.1 });
    await store.tidied;
    expect(await idsIn(store)).not.toContain(artifact);
    for (const path of [...others, join(outside, "outside-1.txt")]) expect((await stat(path)).isFile()).toBe(true);
  });

  test("the id of a removed artifact is never reused", async () => {
    const root = newRoot();
    await saveOld(openStore({ root }), "first", 9);
    await saveOld(openStore({ root }), "second", 8);
    await openLater(root, { days: 0.1 }).tidied;
    expect(await listArtifacts(root)).toEqual([]);
    expect(openStore({ root }).open().id).toBe("agent-1-3");
  });
});

test("removeOldFiles removes the old files of a folder, and neither folders nor links", async () => {
  const folder = newRoot();
  await mkdir(join(folder, "deep"), { recursive: true });
  for (const name of ["old.png", "new.png", "deep/old.png"]) await writeFile(join(folder, name), "");
  await makeOlder(join(folder, "old.png"), 8);
  await makeOlder(join(folder, "deep/old.png"), 8);
  await symlink(join(folder, "deep"), join(folder, "link"));
  await removeOldFiles(folder, { olderThanDays: 7 });
  expect((await readdir(folder)).sort()).toEqual(["deep", "link", "new.png"]);
  expect(await readdir(join(folder, "deep"))).toEqual(["old.png"]);
  await removeOldFiles(join(folder, "missing"), { olderThanDays: 7 });
});

describe("processes that use the same session at the same time", () => {
  const open = `
    import { openArtifactStore } from ${JSON.stringify(inRepository("dist/output/artifacts/artifact-store.js"))};
    const [root] = process.argv.slice(1);
    const store = openArtifactStore({ root, session: "agent-1", maxBytes: 1e9, keepDays: 7 });`;

  function runProgram(code: string, root: string): Promise<string> {
    const child = spawn(process.execPath, ["--input-type=module", "-e", open + code, root], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    return new Promise((resolve) => child.on("close", () => resolve(output)));
  }

  test("never get the same id, for any content", async () => {
    const root = newRoot();
    const code = `
      const endings = ["txt", "json", "png"];
      for (let n = 0; n < 30; n++) {
        const ending = endings[n % 3];
        const end = n % 2 ? await store.save("x", ending) : await store.open(ending).close();
        console.log(end.id);
      }`;
    const outputs = await Promise.all([runProgram(code, root), runProgram(code, root), runProgram(code, root)]);
    const ids = outputs.flatMap((output) => output.trim().split("\n"));
    expect(ids).toHaveLength(90);
    expect(new Set(ids).size).toBe(90);
    expect(await listArtifacts(root)).toHaveLength(90);
  });

  test("may die: what was written so far can be read, and is known to be incomplete", async () => {
    const root = newRoot();
    // The second write returns when both are on the disk.
    const code = `
      const artifact = store.open();
      await artifact.write("x".repeat(100_000));
      await artifact.write("x".repeat(100_000));
      process.kill(process.pid, "SIGKILL");`;
    await runProgram(code, root);
    const artifact = await findArtifact(root, "agent-1-1");
    expect(artifact).toMatchObject({ state: "unfinished", bytes: 200_000 });
    expect(openStore({ root }).open().id).toBe("agent-1-2");
    await makeOlder(artifact.path, 8);
    await openLater(root, { days: 0.1 }).tidied;
    expect(await listArtifacts(root)).toEqual([]);
  });

  test.each([
    ["on another machine, an hour ago", "7 elsewhere", 1 / 24, "growing"],
    ["on another machine, days ago", "7 elsewhere", 2, "unfinished"],
    ["before this process got its number", `${process.pid} ${hostname()}`, 0, "unfinished"],
  ])("may have written %s", async (_when, writer, days, state) => {
    const store = openStore();
    const id = await saveOld(store, "text", days);
    await writeFile(join(store.folder, `.${id}.writing`), writer);
    expect(await findArtifact(store.root, id)).toMatchObject({ state });
  });
});
