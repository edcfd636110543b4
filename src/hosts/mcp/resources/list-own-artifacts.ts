import { mimeTypeOf } from "../../../output/artifacts/artifact-kinds.ts";
import { listArtifacts } from "../../../output/artifacts/read/list-artifacts.ts";
import type { Runtime } from "../../../runtime/runtime.ts";
import type { ListedArtifact } from "./resources.ts";

/** A longer list is useless; older artifacts can still be read by address. */
const most = 50;

/** The newest artifacts of this runtime; the machine may have thousands of others. */
export async function listOwnArtifacts(runtime: Runtime): Promise<readonly ListedArtifact[]> {
  const { artifactRoot, ownArtifacts } = runtime;
  if (ownArtifacts.size === 0) return [];
  const all = await listArtifacts(artifactRoot);
  return all
    .filter(({ id }) => ownArtifacts.has(id))
    .slice(0, most)
    .map(({ id, ending, bytes }) => ({ id, bytes, mimeType: mimeTypeOf(ending) }));
}
