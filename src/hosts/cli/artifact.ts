import { setImmediate } from "node:timers/promises";
import { ArtifactError } from "../../output/artifacts/artifact-error.ts";
import { artifactRoot } from "../../output/artifacts/artifact-store.ts";
import { findArtifact } from "../../output/artifacts/read/find-artifact.ts";
import { granaryHome } from "../../settings/granary-home.ts";
import { parseArtifactArguments } from "./artifact/artifact-arguments.ts";
import type { CommandContext } from "./command/command-context.ts";
import { exitCodes } from "./command/exit-codes.ts";
import { StopRequest } from "./command/stop-request.ts";
import { typedPath } from "./command/typed-path.ts";
import { UsageError } from "./command/usage-error.ts";
import { say } from "./command/write.ts";

/** As `grep` and `ls` have it: what was asked for is not there. */
const nothingFound = 1;

/** `granary artifact` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const parsed = parseArtifactArguments(args);
  if (parsed.type === "help") {
    const { artifactHelp } = await import("./artifact/artifact-help.ts");
    context.stdout.write(artifactHelp);
    return exitCodes.ok;
  }
  const home = granaryHome(context.env);
  const root = parsed.folder === null ? artifactRoot(home) : typedPath(parsed.folder, context);
  if (parsed.type === "list") {
    const { listForPeople, listForPrograms } = await import("./artifact/artifact-list.ts");
    await (parsed.json ? listForPrograms : listForPeople)(root, context);
    return exitCodes.ok;
  }
  using stop = new StopRequest(context);
  try {
    const artifact = await findArtifact(root, parsed.address);
    const { showArtifact } = await import("./artifact/artifact-show.ts");
    const hasShown = await showArtifact(artifact, parsed.part, context, stop.signal);
    // What went wrong with the last write is told in the next turn of the event loop.
    await setImmediate();
    return stop.exitCode ?? (hasShown ? exitCodes.ok : nothingFound);
  } catch (error) {
    if (stop.exitCode !== null) return stop.exitCode;
    return explain(error, context);
  }
}

function explain(error: unknown, { stderr }: CommandContext): number {
  if (!(error instanceof ArtifactError)) throw error;
  if (error.code === "not-an-address") throw new UsageError(error.message);
  void say(stderr, `granary: ${error.message}\n`);
  return error.code === "not-found" ? nothingFound : exitCodes.failed;
}
