import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { writerOf } from "../artifact-claim.ts";
import { isSessionLabel } from "../artifact-id.ts";
import { artifactFileName, parseFileName, type StoreFileName } from "../artifact-names.ts";

export interface StoredArtifact {
  readonly id: string;
  /** The kind of file: `txt`, `json`, `png` … */
  readonly ending: string;
  readonly path: string;
  readonly bytes: number;
  /** When it was last written to, in milliseconds since 1970. */
  readonly writtenAt: number;
  /** `unfinished`: the writing process has died. */
  readonly state: "whole" | "growing" | "unfinished";
}

/** A folder with artifacts, and the names of Granary's files in it. */
export interface StoreFolder {
  readonly path: string;
  /** The session of these files; null for all sessions. */
  readonly label: string | null;
  readonly names: readonly StoreFileName[];
  readonly artifacts: readonly StoredArtifact[];
}

/** All artifacts in a folder, Granary's own or a host's; the newest first. */
export async function listArtifacts(root: string): Promise<readonly StoredArtifact[]> {
  const folders = [await readStoreFolder(root), ...(await readSessions(root))];
  return folders.flatMap(({ artifacts }) => artifacts).sort((a, b) => b.writtenAt - a.writtenAt);
}

/** The folder of each session. */
export async function readSessions(root: string): Promise<readonly StoreFolder[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  const labels = entries.filter((entry) => entry.isDirectory() && isSessionLabel(entry.name)).map(({ name }) => name);
  const folders: StoreFolder[] = [];
  // One after another, because Python's output may wait for the same few threads that read files.
  for (const label of labels) folders.push(await readStoreFolder(join(root, label), label));
  return folders;
}

/** A folder that cannot be read counts as empty. With a label, reads only that session's files. */
export async function readStoreFolder(path: string, label: string | null = null): Promise<StoreFolder> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const names = entries
    // Not symbolic links: their targets are outside the store.
    .filter((entry) => entry.isFile())
    .map((entry) => parseFileName(entry.name))
    .filter((name) => name !== null)
    .filter((name) => label === null || name.label === label);
  const marked = new Set(names.filter(({ type }) => type === "writing").map(({ id }) => id));
  const artifacts = await Promise.all(
    names
      .filter(({ type }) => type === "artifact")
      .map((name) => describeArtifact(path, name, { isMarked: marked.has(name.id) })),
  );
  return { path, label, names, artifacts: artifacts.filter((artifact) => artifact !== null) };
}

async function describeArtifact(
  folder: string,
  { id, ending }: StoreFileName,
  { isMarked }: { readonly isMarked: boolean },
): Promise<StoredArtifact | null> {
  const path = join(folder, artifactFileName(id, ending));
  const file = await lstat(path).catch(() => null);
  if (file === null) return null;
  const state = isMarked ? states[await writerOf(folder, id, file.mtimeMs)] : "whole";
  return { id, ending, path, bytes: file.size, writtenAt: file.mtimeMs, state };
}

const states = { none: "whole", alive: "growing", dead: "unfinished" } as const;
