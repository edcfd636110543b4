import { setImmediate } from "node:timers/promises";
import { artifactRoot } from "../../output/artifacts/artifact-store.ts";
import { findArtifact } from "../../output/artifacts/read/find-artifact.ts";
import { granaryHome } from "../../settings/granary-home.ts";
import { isGranaryError } from "../../support/granary-error.ts";
import { parseArtifactArguments } from "./artifact/artifact-arguments.ts";
import { type CommandContext, typedPath } from "./command/command-context.ts";
import { exitCodes } from "./command/exit-codes.ts";
import { say } from "./command/say.ts";
import { StopRequest } from "./command/stop-request.ts";

/** As in `grep` and `ls`: not found. */
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
    // A failure of the last write is reported in the next turn of the event loop.
    await setImmediate();
    return stop.exitCode ?? (hasShown ? exitCodes.ok : nothingFound);
  } catch (error) {
    if (stop.exitCode !== null) return stop.exitCode;
    if (!isGranaryError(error, "not-found")) throw error;
    void say(context.stderr, `granary: ${error.message}\n`);
    return nothingFound;
  }
}
