import { lstat, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stat } from "../../support/files/look.ts";
import { writerOf } from "./artifact-claim.ts";
import { markFileName } from "./artifact-names.ts";
import { readSessions, readStoreFolder, type StoredArtifact, type StoreFolder } from "./read/list-artifacts.ts";
import { type Age, lastWrittenBefore } from "./remove-old-files.ts";

/** The files that a store manages: all sessions in Granary's own folder, but in a host's folder only its session. */
export type StoreScope =
  | { readonly type: "all"; readonly root: string }
  | { readonly type: "session"; readonly folder: string; readonly label: string };

/** Removes old artifacts; never fails. In Granary's own folder, one process does this at most once an hour. */
export async function tidyStore(scope: StoreScope, age: Age): Promise<void> {
  if (scope.type === "all" && !(await isDue(scope.root, age.now ?? Date.now()))) return;
  const moment = lastWrittenBefore(age);
  for (const folder of await readScope(scope)) {
    const old = folder.artifacts.filter(({ state, writtenAt }) => state !== "growing" && writtenAt < moment);
    for (const artifact of old) await removeArtifact(artifact);
    await removeMarks(folder, moment);
    // Does nothing to a folder with files in it.
    if (scope.type === "all") await rmdir(folder.path).catch(() => undefined);
  }
}

/** Removes the oldest artifacts until so many bytes fit within the limit, and returns how many fit. */
export async function makeRoom(scope: StoreScope, bytes: number, maxBytes: number): Promise<number> {
  const artifacts = (await readScope(scope)).flatMap((folder) => folder.artifacts);
  let taken = artifacts.reduce((sum, artifact) => sum + artifact.bytes, 0);
  for (const artifact of artifacts.sort((a, b) => a.writtenAt - b.writtenAt)) {
    if (taken + bytes <= maxBytes) break;
    if (artifact.state === "growing") continue;
    if (await removeArtifact(artifact)) taken -= artifact.bytes;
  }
  return Math.max(0, maxBytes - taken);
}

async function readScope(scope: StoreScope): Promise<readonly StoreFolder[]> {
  return scope.type === "all" ? readSessions(scope.root) : [await readStoreFolder(scope.folder, scope.label)];
}

const hourMs = 60 * 60 * 1000;

async function isDue(root: string, now: number): Promise<boolean> {
  const stamp = join(root, ".tidied");
  const last = await stat(stamp).catch(() => null);
  if (last !== null && Math.abs(now - last.mtimeMs) < hourMs) return false;
  const hasNoStore = last === null && (await stat(root).catch(() => null)) === null;
  if (hasNoStore) return false;
  // Before the work, so that no other process starts the same.
  return writeFile(stamp, "", { mode: 0o600 }).then(
    () => true,
    () => false,
  );
}

async function removeArtifact({ id, path }: StoredArtifact): Promise<boolean> {
  const mark = (type: "writing" | "gone") => join(dirname(path), markFileName(id, type));
  await writeFile(mark("gone"), "", { mode: 0o600 }).catch(() => undefined);
  await rm(mark("writing"), { force: true }).catch(() => undefined);
  return rm(path, { force: true }).then(
    () => true,
    () => false,
  );
}

/** Removes unneeded marks: of the removed numbers, the highest is enough to continue from. */
async function removeMarks({ path: folder, label: only }: StoreFolder, moment: number): Promise<void> {
  const { names } = await readStoreFolder(folder, only);
  const highest = new Map<string, number>();
  for (const { type, label, number } of names) {
    if (type !== "writing") highest.set(label, Math.max(number, highest.get(label) ?? 0));
  }
  const artifacts = new Set(names.filter(({ type }) => type === "artifact").map(({ id }) => id));

  for (const { type, id, label, number } of names) {
    if (type === "artifact") continue;
    const path = join(folder, markFileName(id, type));
    const writtenAt = await lstat(path).then(
      (mark) => mark.mtimeMs,
      () => 0,
    );
    const isRecent = writtenAt >= moment;
    const isNeeded =
      type === "gone"
        ? isRecent && number === highest.get(label)
        : isRecent || artifacts.has(id) || (await writerOf(folder, id, writtenAt)) === "alive";
    if (!isNeeded) await rm(path, { force: true }).catch(() => undefined);
  }
}
