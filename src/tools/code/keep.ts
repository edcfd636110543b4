import { artifactAddress } from "../../output/artifacts/artifact-id.ts";
import { endingFor } from "../../output/artifacts/artifact-kinds.ts";
import { findArtifact } from "../../output/artifacts/find-artifact.ts";
import type { ToolContext } from "../tool-context.ts";

/** Stores what a result has no room for, and says where; null when it could not be stored. */
export async function keep(
  { granary }: ToolContext,
  session: string,
  content: Uint8Array | string,
  mimeType: string,
): Promise<string | null> {
  const end = await granary.artifactsOf(session).save(content, endingFor(mimeType));
  return end.kept ? artifactAddress(end.id) : null;
}

/** The file behind an address; null when there is none. */
export async function fileOf({ granary }: ToolContext, address: string | null): Promise<string | null> {
  if (address === null) return null;
  const found = await findArtifact(granary.artifactRoot, address).catch(() => null);
  return found?.path ?? null;
}
