import { join } from "node:path";
import { closest } from "../../../support/closest.ts";
import { GranaryError } from "../../../support/granary-error.ts";
import { parseArtifactAddress, parseArtifactId } from "../artifact-id.ts";
import { listArtifacts, readStoreFolder, type StoredArtifact } from "./list-artifacts.ts";

/**
 * Looks up `artifact://<id>`, or a bare id. Reads only the id's own folder in the store.
 * @param among the ids that the caller may see; null for all
 */
export async function findArtifact(
  root: string,
  address: string,
  among: ReadonlySet<string> | null = null,
): Promise<StoredArtifact> {
  const id = parseArtifactAddress(address);
  const label = id === null ? undefined : parseArtifactId(id)?.label;
  if (id === null || label === undefined) {
    throw new GranaryError(
      "not-an-address",
      `${JSON.stringify(address)} is not the address of an artifact, which looks like artifact://agent-1-3.`,
    );
  }
  // In a folder that the host chose, artifacts are at the top level.
  const isSeen = (each: string): boolean => among?.has(each) ?? true;
  for (const folder of isSeen(id) ? [join(root, label), root] : []) {
    const { artifacts } = await readStoreFolder(folder, label);
    const found = artifacts.find((artifact) => artifact.id === id);
    if (found !== undefined) return found;
  }
  const ids = (await listArtifacts(root)).map((artifact) => artifact.id);
  throw notFound(among === null ? `${id} in ${root}` : `${id} among this process's own`, id, ids.filter(isSeen));
}

function notFound(what: string, id: string, ids: readonly string[]): GranaryError {
  const sentences = [`There is no artifact ${what}.`];
  const similar = mostSimilar(id, ids);
  if (ids.length === 0) sentences.push("There are no artifacts.");
  else if (similar.length > 0) sentences.push(`Similar ones: ${similar.join(", ")}.`);
  else sentences.push(`The newest: ${ids.slice(0, few).join(", ")}.`);
  sentences.push("Granary removes old artifacts (artifacts.keepDays, artifacts.maxMegabytes).");
  return new GranaryError("not-found", sentences.join(" "));
}

const few = 3;

/** Ids of the same session with the nearest numbers; else the id that differs by a typing mistake. */
function mostSimilar(id: string, ids: readonly string[]): readonly string[] {
  const wanted = parseArtifactId(id);
  const distance = (other: string) => Math.abs((parseArtifactId(other)?.number ?? 0) - (wanted?.number ?? 0));
  const ofSession = ids.filter((other) => parseArtifactId(other)?.label === wanted?.label);
  if (ofSession.length > 0) return ofSession.sort((a, b) => distance(a) - distance(b)).slice(0, few);
  const meant = closest(id, ids);
  return meant === null ? [] : [meant];
}
