import { readFile } from "node:fs/promises";
import { artifactAddress } from "../../output/artifacts/artifact-id.ts";
import { endingFor } from "../../output/artifacts/artifact-kinds.ts";
import { findArtifact } from "../../output/artifacts/read/find-artifact.ts";
import type { OutputTruncation } from "../../output/capture.ts";
import type { ToolContext } from "../context/tool-context.ts";

/** Stores content that does not fit a result, and returns its address; null when that failed. */
export async function keep(
  { runtime }: ToolContext,
  session: string,
  content: Uint8Array | string,
  mimeType: string,
): Promise<string | null> {
  const end = await runtime.artifactsOf(session).save(content, endingFor(mimeType));
  return end.kept ? artifactAddress(end.id) : null;
}

/** The file behind an address; null when there is none. */
export async function fileOf({ runtime }: ToolContext, address: string | null): Promise<string | null> {
  if (address === null) return null;
  const found = await findArtifact(runtime.artifactRoot, address).catch(() => null);
  return found?.path ?? null;
}

/** Content of an expanded result. Hosts store it with the conversation, so it must not be too large. */
const longestFullOutput = 256 * 1024;

/** The whole output, when a result shows a part. */
export async function fullOutputOf(context: ToolContext, truncation: OutputTruncation | null) {
  const fullOutputPath = await fileOf(context, truncation?.artifact ?? null);
  const isShort = truncation !== null && truncation.totalBytes <= longestFullOutput;
  const readable = isShort && fullOutputPath !== null && truncation.problem === null;
  const fullOutput = readable ? await readFile(fullOutputPath, "utf8").catch(() => null) : null;
  return { fullOutputPath, fullOutput };
}
