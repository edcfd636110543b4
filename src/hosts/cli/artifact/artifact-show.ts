import { once } from "node:events";
import { isTextEnding } from "../../../output/artifacts/artifact-kinds.ts";
import type { StoredArtifact } from "../../../output/artifacts/read/list-artifacts.ts";
import { countLines, readBytes, readLines, readWholeArtifact } from "../../../output/artifacts/read/read-artifact.ts";
import { searchArtifact } from "../../../output/artifacts/read/search-artifact.ts";
import { sayBytes } from "../../../output/text/say-size.ts";
import { visibleText } from "../../../output/text/visible-text.ts";
import { sayCount } from "../../../support/say-count.ts";
import type { CommandContext } from "../command/command-context.ts";
import { say } from "../command/say.ts";
import { UsageError } from "../command/usage-error.ts";
import type { ArtifactPart } from "./artifact-arguments.ts";

/** Writes a part of an artifact to standard output; false when that part has nothing in it. */
export async function showArtifact(
  artifact: StoredArtifact,
  part: ArtifactPart,
  context: CommandContext,
  signal: AbortSignal,
): Promise<boolean> {
  const { stdout, stderr, isTerminal } = context;
  const isText = isTextEnding(artifact.ending);
  const cannotBeSeen = !isText && isTerminal("stdout");
  if (part.type === "path" || cannotBeSeen) {
    if (part.type !== "path") await say(stderr, `${artifact.id} is not text but ${artifact.ending}, in this file:\n`);
    stdout.write(`${artifact.path}\n`);
    return true;
  }
  if (!isText && (part.type === "lines" || part.type === "search")) {
    throw new UsageError(`${artifact.id} has no lines: it is not text but ${artifact.ending}. See --path and --bytes.`);
  }
  const chunks = isTerminal("stdout") ? visible(read(artifact, part, signal)) : read(artifact, part, signal);
  let isEmpty = true;
  for await (const chunk of chunks) {
    isEmpty = false;
    if (!stdout.write(chunk)) await once(stdout, "drain", { signal });
    signal.throwIfAborted();
  }
  const remark = await remarkOn(artifact, part, { isEmpty, signal });
  if (remark !== null) await say(stderr, `granary: ${remark}\n`);
  return !isEmpty || part.type === "whole";
}

async function* read(
  artifact: StoredArtifact,
  part: ArtifactPart,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array | string> {
  switch (part.type) {
    case "lines":
      return yield* readLines(artifact, part.ranges, { signal });
    case "bytes":
      return yield* readBytes(artifact, part.ranges, { signal });
    case "search":
      for await (const { line, text } of searchArtifact(artifact, part.pattern, { lines: part.lines, signal })) {
        yield `${line}:${text}\n`;
      }
      return;
    default:
      return yield* readWholeArtifact(artifact, { signal });
  }
}

/** HTML, JSON and similar text may contain control sequences. The terminal must not execute them. */
async function* visible(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    const text = typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    const all = rest + text;
    // The rest of a character may be in the next chunk; one line is enough to decide.
    const end = all.length > longestRest ? all.length : all.lastIndexOf("\n") + 1;
    rest = all.slice(end);
    yield visibleText(all.slice(0, end).replaceAll("\r\n", "\n"));
  }
  yield visibleText(rest + decoder.decode());
}

const longestRest = 1024 * 1024;

/** Notes for the reader beside the artifact itself. */
async function remarkOn(
  artifact: StoredArtifact,
  part: ArtifactPart,
  { isEmpty, signal }: { readonly isEmpty: boolean; readonly signal: AbortSignal },
): Promise<string | null> {
  if (isEmpty && part.type === "lines") {
    return `${artifact.id} has no such lines: it has ${sayCount(await countLines(artifact, { signal }), "line")}.`;
  }
  if (isEmpty && part.type === "bytes") return `${artifact.id} has no such bytes: it has ${sayBytes(artifact.bytes)}.`;
  if (artifact.state === "growing") return `${artifact.id} is still being written; this is the part written so far.`;
  if (artifact.state === "unfinished") return `${artifact.id} is not complete: the program that wrote it has died.`;
  return null;
}
