import { StringDecoder } from "node:string_decoder";
import type { LargeContent } from "../../kernel/events.ts";
import type { ArtifactEnd } from "../artifact.ts";
import type { ArtifactEnding } from "../artifacts/artifact-kinds.ts";
import type { ArtifactStore } from "../artifacts/artifact-store.ts";
import type { KeptPart } from "./display-part.ts";
import { isBinary } from "./kept-content.ts";

type Artifacts = Pick<ArtifactStore, "open" | "save">;

/** Stores content as an artifact; copies large content from file to file, in pieces. */
export async function saveContent(
  artifacts: Artifacts,
  { content, mimeType, bytes }: KeptPart,
  ending: ArtifactEnding,
): Promise<ArtifactEnd> {
  if (typeof content === "string" || content instanceof Uint8Array) return artifacts.save(content, ending);
  if (content.problem !== null) return { kept: false, reason: content.problem };
  if (!content.isJson && isBinary(mimeType)) return artifacts.save({ bytes, chunks: () => decoded(content) }, ending);
  return saveText(artifacts, content, ending);
}

/** An artifact that would become too large keeps its beginning. */
async function saveText(artifacts: Artifacts, content: LargeContent, ending: ArtifactEnding): Promise<ArtifactEnd> {
  const writer = artifacts.open(ending);
  const decoder = new StringDecoder("utf8");
  try {
    for await (const chunk of content.chunks()) await writer.write(decoder.write(Buffer.from(chunk)));
    await writer.write(decoder.end());
    return await writer.close();
  } catch (error) {
    await writer.discard();
    return { kept: false, reason: (error as Error).message };
  }
}

/** Decodes base64. */
async function* decoded(content: LargeContent): AsyncGenerator<Uint8Array, void> {
  let rest = "";
  for await (const chunk of content.chunks()) {
    const text = rest + Buffer.from(chunk).toString("latin1").replace(/\s+/g, "");
    const whole = text.length - (text.length % 4);
    rest = text.slice(whole);
    yield Buffer.from(text.slice(0, whole), "base64");
  }
  yield Buffer.from(rest, "base64");
}
