import { artifactAddress } from "../../../output/artifacts/artifact-id.ts";
import { listArtifacts, type StoredArtifact } from "../../../output/artifacts/read/list-artifacts.ts";
import { sayBytes } from "../../../output/text/say-size.ts";
import { sayAge } from "../../../support/say-time.ts";
import type { CommandContext } from "../command/command-context.ts";
import { say } from "../command/say.ts";
import { write } from "../command/write.ts";

/** One line for each artifact: its id, how old and how big it is, and what kind of file. */
export async function listForPeople(root: string, { stdout, stderr }: CommandContext): Promise<void> {
  const artifacts = await listArtifacts(root);
  if (artifacts.length === 0) return say(stderr, `There are no artifacts in ${root}.\n`);
  const rows = artifacts.map((artifact) => [
    artifact.id,
    `${sayAge(Date.now() - artifact.writtenAt)} ago`,
    sayBytes(artifact.bytes),
    sayKind(artifact),
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join("  "));
  await say(stdout, `${lines.join("\n")}\n`);
}

export async function listForPrograms(root: string, { stdout }: CommandContext): Promise<void> {
  const artifacts = (await listArtifacts(root)).map(({ id, ending, path, bytes, writtenAt, state }) => ({
    id,
    address: artifactAddress(id),
    kind: ending,
    bytes,
    writtenAt: new Date(writtenAt).toISOString(),
    state,
    path,
  }));
  await write(stdout, `${JSON.stringify({ artifacts })}\n`);
}

function sayKind({ ending, state }: StoredArtifact): string {
  if (state === "growing") return `${ending}, being written`;
  return state === "unfinished" ? `${ending}, not complete` : ending;
}
