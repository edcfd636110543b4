import type { CommandContext } from "./command/command-context.ts";
import { exitCodes } from "./command/exit-codes.ts";
import { ownVersion } from "./command/own-version.ts";
import { StopRequest } from "./command/stop-request.ts";
import { say } from "./command/write.ts";
import { type McpArguments, parseMcpArguments } from "./mcp/mcp-arguments.ts";
import { requireFolders, workspaceOptions } from "./mcp/mcp-folders.ts";

/** `granary mcp` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const parsed = parseMcpArguments(args, context.env);
  if (parsed === "help") {
    const { mcpHelp } = await import("./mcp/mcp-help.ts");
    context.stdout.write(mcpHelp);
    return exitCodes.ok;
  }
  await requireFolders(parsed, context);
  using stop = new StopRequest(context);
  const serve = parsed.http === null ? serveClient : (await import("./mcp/mcp-http.ts")).serveClients;
  try {
    await serve(parsed, stop, context);
  } catch (error) {
    if (stop.reason === null) throw error;
  }
  // A client that has gone away is the usual end, in whichever way it shows.
  return stop.nobodyReads ? exitCodes.ok : (stop.exitCode ?? exitCodes.ok);
}

/** Serves the client that started us, on standard input and output. */
async function serveClient(args: McpArguments, stop: StopRequest, context: CommandContext): Promise<void> {
  const { guardStdout } = await import("../mcp/guard-stdout.ts");
  // First, so that modules that are loaded next cannot print there.
  const guard = guardStdout(context);
  const tell = (sentence: string) => void say(context.stderr, `granary: ${sentence}\n`);
  try {
    const [{ openWorkspace }, { serveStdio }] = await Promise.all([
      import("../mcp/open-workspace.ts"),
      import("../mcp/serve-stdio.ts"),
    ]);
    const workspace = await openWorkspace(workspaceOptions(args, context));
    try {
      const agent = await workspace.openAgent({ session: "main", owner: "mcp", signal: stop.signal });
      for (const notice of agent.notices) tell(notice);
      if (context.isTerminal("stdin")) tell(waitsForClient);
      await serveStdio(agent, {
        stdin: context.stdin,
        stdout: guard.protocol,
        version: await ownVersion(),
        signal: stop.signal,
        onError: ({ message }) => tell(message),
      });
    } finally {
      await workspace.close();
    }
  } finally {
    guard.release();
  }
}

/** For users who try the command by hand: otherwise it would wait in silence. */
const waitsForClient =
  "waiting for an MCP client on standard input. Clients start this command themselves: granary mcp --help. Ctrl-C ends it.";
