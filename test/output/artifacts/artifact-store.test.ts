import { mkdir, open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { claimNumber } from "../../../src/output/artifacts/artifact-claim.ts";
import { ArtifactFile } from "../../../src/output/artifacts/artifact-file.ts";
import { endingFor } from "../../../src/output/artifacts/artifact-kinds.ts";
import { ArtifactSpace } from "../../../src/output/artifacts/artifact-store.ts";
import { ArtifactStream } from "../../../src/output/artifacts/artifact-stream.ts";
import { contentOf, newRoot, openStore, saveText } from "./store-folder.ts";

describe("an artifact", () => {
  test("has the written text, from the first byte to the last", async () => {
    const store = openStore();
    const artifact = store.open();
    await artifact.write("one\n");
    await artifact.write("");
    await artifact.write("zwei ü 😀\n");
    const end = await artifact.close();
    expect(end).toEqual({ kept: true, id: artifact.id, bytes: 17 });
    expect(await contentOf(store, artifact.id)).toBe("one\nzwei ü 😀\n");
  });

  test("is the same for any chunks, and whether or not the writer waited", async () => {
    const store = openStore({ maxBytes: 1_000_000_000 });
    const text = fc.string({
      unit: fc.constantFrom("a", "\n", "é", "😀", "\r", "\0", "x".repeat(40_000)),
      maxLength: 20,
    });
    const cuts = fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(text, cuts, async (text, cuts) => {
        const artifact = store.open();
        let done = 0;
        for (const [cut, isAwaited] of [...cuts].map(([at, w]) => [at % (text.length + 1), w] as const).sort(byPlace)) {
          const written = artifact.write(text.slice(done, cut));
          if (isAwaited) await written;
          done = cut;
        }
        void artifact.write(text.slice(done));
        const end = await artifact.close();
        expect(end).toEqual({ kept: true, id: artifact.id, bytes: Buffer.byteLength(text) });
        expect(await contentOf(store, artifact.id)).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  test("can be read while it is being written", async () => {
    const store = openStore();
    const artifact = store.open();
    const long = "line\n".repeat(20_000);
    await artifact.write(long);
    await artifact.write(long); // returns when the first one is on the disk, at the latest
    expect((await contentOf(store, artifact.id)).startsWith(long)).toBe(true);
    await artifact.close();
  });

  test("that is restarted has the later text, even if the writer does not wait", async () => {
    const store = openStore();
    const artifact = store.open();
    await artifact.write("before\n");
    void artifact.write("also before\n".repeat(10_000));
    void artifact.restart();
    void artifact.write("after\n");
    expect(await artifact.close()).toEqual({ kept: true, id: artifact.id, bytes: 6 });
    expect(await contentOf(store, artifact.id)).toBe("after\n");
  });

  test("without any writes is empty", async () => {
    const store = openStore();
    const artifact = store.open();
    expect(await artifact.close()).toEqual({ kept: true, id: artifact.id, bytes: 0 });
    expect(await contentOf(store, artifact.id)).toBe("");
  });

  test("that is closed stays as it is", async () => {
    const store = openStore();
    const artifact = store.open();
    await artifact.write("all\n");
    const end = await artifact.close();
    await artifact.write("too late\n");
    await artifact.restart();
    expect(await artifact.close()).toEqual(end);
    expect(await contentOf(store, artifact.id)).toBe("all\n");
  });

  test("can be a picture, saved at once, byte for byte", async () => {
    const store = openStore();
    const end = await store.save(Uint8Array.of(0x89, 0x50, 0, 0xff), "png");
    expect(end).toMatchObject({ kept: true, bytes: 4 });
    expect(await readdir(store.folder)).toEqual(["agent-1-1.png"]);
  });

  test("is readable by its owner only, and so are the folders made for it", async () => {
    const store = openStore();
    await saveText(store, "secret");
    const mode = async (path: string) => (await stat(path)).mode & 0o777;
    expect(await mode(join(store.folder, "agent-1-1.txt"))).toBe(0o600);
    expect(await mode(store.folder)).toBe(0o700);
    expect(await mode(dirname(store.folder))).toBe(0o700);
  });

  test.each([
    ["text/plain", "txt"],
    ["text/x-anything", "txt"],
    ["text/html", "html"],
    ["image/jpeg", "jpg"],
    ["application/vnd.plotly.v1+json", "json"],
    ["application/octet-stream", "bin"],
    ["toString", "bin"],
  ])("of type %s has the ending %s", (mimeType, ending) => {
    expect(endingFor(mimeType)).toBe(ending);
  });
});

const byPlace = (a: readonly [number, boolean], b: readonly [number, boolean]) => a[0] - b[0];

describe("a store", () => {
  test("leaves no trace on the disk before there is something to keep", async () => {
    const store = openStore();
    await store.tidied;
    await expect(stat(store.root)).rejects.toThrow("ENOENT");
  });

  test("counts the artifacts of each session, and continues the count when it is opened again", async () => {
    const root = newRoot();
    const first = openStore({ root });
    expect([first.open().id, await saveText(first, ""), first.open("json").id]).toEqual([
      "agent-1-1",
      "agent-1-2",
      "agent-1-3",
    ]);
    expect(openStore({ root }).open().id).toBe("agent-1-4");
    expect(openStore({ root, session: "agent" }).open().id).toBe("agent-1");
  });

  test("keeps sessions with any names apart", async () => {
    const root = newRoot();
    const ids = await Promise.all(
      ["a", "A", "", "..", "../a", "a/b", "a\0b", "ä", "x".repeat(5000)].map(async (session) => {
        const store = openStore({ root, session });
        const id = await saveText(store, session);
        expect(dirname(store.folder)).toBe(root);
        expect(await contentOf(store, id)).toBe(session);
        return id;
      }),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("may be a folder of the host, which sessions then share, beside other files", async () => {
    const folder = newRoot();
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "agent-1-notes.txt"), "the host's own");
    const one = openStore({ folder });
    const other = openStore({ folder, session: "agent-2" });
    expect([await saveText(one, "one"), await saveText(other, "two")]).toEqual(["agent-1-1", "agent-2-1"]);
    expect((await readdir(folder)).sort()).toEqual(["agent-1-1.txt", "agent-1-notes.txt", "agent-2-1.txt"]);
    expect(await contentOf(one, "agent-2-1")).toBe("two");
  });

  test("leaves only artifacts behind", async () => {
    const store = openStore();
    const artifact = store.open();
    await artifact.write("text");
    await artifact.close();
    await store.save("{}", "json");
    expect((await readdir(store.folder)).sort()).toEqual(["agent-1-1.txt", "agent-1-2.json"]);
  });
});

describe("when an artifact cannot be kept, later writes are dropped and its end says why", () => {
  test("because there is a file where the folder should be", async () => {
    const root = newRoot();
    await mkdir(dirname(root), { recursive: true });
    await writeFile(root, "");
    const store = openStore({ root });
    const artifact = store.open();
    await artifact.write("text");
    await artifact.restart();
    const reason = `${store.folder} is not a folder.`;
    expect(await artifact.close()).toEqual({ kept: false, reason });
    expect(await store.save("text", "txt")).toEqual({ kept: false, reason });
  });

  test("because the folder vanished before anything was written", async () => {
    const store = openStore();
    const artifact = store.open();
    await rm(store.root, { recursive: true });
    await artifact.write("text");
    expect(await artifact.close()).toEqual({ kept: false, reason: `${store.folder} has vanished.` });
  });

  test("because the folder was deleted; the next artifact makes it again", async () => {
    const store = openStore();
    const artifact = store.open();
    await artifact.write("x".repeat(100_000));
    await artifact.write("x".repeat(100_000));
    await rm(store.root, { recursive: true });
    await artifact.write("more");
    const reason = `Its file in ${store.folder} was removed while it was being written.`;
    expect(await artifact.close()).toEqual({ kept: false, reason });
    expect(await saveText(store, "next")).toBe("agent-1-2");
  });

  test.skipIf(process.platform !== "linux")("because the disk is full; nothing of it is left", async () => {
    const root = newRoot();
    const claim = claimNumber(root, "agent-1", 1);
    const fullDisk = new ArtifactFile(claim, "txt", () => open("/dev/full", "a"));
    const artifact = new ArtifactStream(fullDisk, new ArtifactSpace({ type: "all", root }, 1_000_000));
    for (let count = 0; count < 100; count++) await artifact.write("x".repeat(10_000));
    const reason = `The disk is full: there is no space left for ${root}.`;
    expect(await artifact.close()).toEqual({ kept: false, reason });
    expect(await readdir(root)).toEqual([]);
  });
});
