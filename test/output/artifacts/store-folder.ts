import { mkdtempSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ArtifactStore,
  type ArtifactStoreOptions,
  openArtifactStore,
} from "../../../src/output/artifacts/artifact-store.ts";
import { findArtifact } from "../../../src/output/artifacts/read/find-artifact.ts";

const testFolder = mkdtempSync(join(tmpdir(), "granary-artifacts-"));

let stores = 0;

/** A separate folder that does not exist yet. */
export function newRoot(): string {
  return join(testFolder, `store-${++stores}`, "artifacts");
}

export function openStore(options: Partial<ArtifactStoreOptions> = {}): ArtifactStore {
  return openArtifactStore({ root: newRoot(), session: "agent-1", maxBytes: 1_000_000, keepDays: 7, ...options });
}

/** Saves a text of so many bytes, and returns its id. */
export async function saveText(store: ArtifactStore, text: string): Promise<string> {
  const end = await store.save(text, "txt");
  if (!end.kept) throw new Error(end.reason);
  return end.id;
}

export async function contentOf(store: ArtifactStore, id: string): Promise<string> {
  return readFile((await findArtifact(store.root, id)).path, "utf8");
}

export const dayMs = 24 * 60 * 60 * 1000;
