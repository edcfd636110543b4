import { sessionLabel } from "../../../output/artifacts/artifact-id.ts";
import { mimeTypeOf } from "../../../output/artifacts/artifact-kinds.ts";
import { listArtifacts } from "../../../output/artifacts/list-artifacts.ts";
import type { Granary } from "../../../runtime/granary.ts";
import type { ListedArtifact } from "./resources.ts";

/** Nobody looks through more; older ones can still be read by their address. */
const most = 50;

/** The newest artifacts of the sessions of this runtime; there may be thousands of others on the machine. */
export async function listOwnArtifacts({ artifactRoot, sessions }: Granary): Promise<readonly ListedArtifact[]> {
  const labels = new Set(sessions.map(({ id }) => sessionLabel(id)));
  const all = await listArtifacts(artifactRoot);
  return all
    .filter(({ id }) => labels.has(id.replace(/-\d+$/, "")))
    .slice(0, most)
    .map(({ id, ending, bytes }) => ({ id, bytes, mimeType: mimeTypeOf(ending) }));
}
