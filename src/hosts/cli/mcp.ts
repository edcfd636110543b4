import type { Surroundings } from "./command/command-context.ts";
import { exitCodes } from "./command/exit-codes.ts";
import { ownVersion } from "./command/own-version.ts";
import { StopRequest } from "./command/stop-request.ts";
import { say } from "./command/write.ts";
import { type McpArguments, parseMcpArguments } from "./mcp/mcp-arguments.ts";
import { requireFolders, workplaceOptions } from "./mcp/mcp-folders.ts";

/** `granary mcp` */
export async function main(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const parsed = parseMcpArguments(args, surroundings.env);
  if (parsed === "help") {
    const { mcpHelp } = await import("./mcp/mcp-help.ts");
    surroundings.stdout.write(mcpHelp);
    return exitCodes.ok;
  }
  await requireFolders(parsed, surroundings);
  using stop = new StopRequest(surroundings);
  const serve = parsed.http === null ? serveClient : (await import("./mcp/mcp-http.ts")).serveClients;
  try {
    await serve(parsed, stop, surroundings);
  } catch (error) {
    if (stop.reason === null) throw error;
  }
  // A client that has gone away is the usual end, however it is noticed.
  return stop.nobodyReads ? exitCodes.ok : (stop.exitCode ?? exitCodes.ok);
}

/** The one that has started us: on standard input and output. */
async function serveClient(args: McpArguments, stop: StopRequest, surroundings: Surroundings): Promise<void> {
  const { guardStdout } = await import("../mcp/guard-stdout.ts");
  // First, so that not even what is loaded next can print there.
  const guard = guardStdout(surroundings);
  const tell = (sentence: string) => void say(surroundings.stderr, `granary: ${sentence}\n`);
  try {
    const [{ openWorkplace }, { serveStdio }] = await Promise.all([
      import("../mcp/open-workspace.ts"),
      import("../mcp/serve-stdio.ts"),
    ]);
    const workplace = await openWorkplace(workplaceOptions(args, surroundings));
    try {
      const desk = await workplace.openDesk({ session: "main", owner: "mcp", signal: stop.signal });
      for (const notice of desk.notices) tell(notice);
      if (surroundings.isTerminal("stdin")) tell(waitsForClient);
      await serveStdio(desk, {
        stdin: surroundings.stdin,
        stdout: guard.protocol,
        version: await ownVersion(),
        signal: stop.signal,
        onError: ({ message }) => tell(message),
      });
    } finally {
      await workplace.close();
    }
  } finally {
    guard.release();
  }
}

/** For whoever types the command to see what it does: it would sit there without a word. */
const waitsForClient =
  "waiting for an MCP client on standard input. Clients start this command themselves: granary mcp --help. Ctrl-C ends it.";
