import { ownVersion } from "../../support/files/own-version.ts";
import type { CommandContext } from "./command/command-context.ts";
import { exitCodes } from "./command/exit-codes.ts";
import { say } from "./command/say.ts";
import { StopRequest } from "./command/stop-request.ts";
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
    const options = workspaceOptions(args, context);
    const version = await ownVersion();
    const { openHubAgent } = await import("../mcp/hub-agent.ts");
    const whyNoHub: string[] = [];
    const inHub = await openHubAgent({ ...options, version, signal: stop.signal, tell: (why) => whyNoHub.push(why) });
    for (const why of whyNoHub) tell(why);
    const opened =
      inHub === null ? await openHere(options, whyNoHub, stop.signal) : { agent: inHub, close: () => inHub.close() };
    try {
      const { agent } = opened;
      for (const notice of agent.notices) tell(notice);
      if (context.isTerminal("stdin")) tell(waitsForClient);
      const { serveStdio } = await import("../mcp/serve-stdio.ts");
      await serveStdio(agent, {
        stdin: context.stdin,
        stdout: guard.protocol,
        version,
        signal: stop.signal,
        onError: ({ message }) => tell(message),
      });
    } finally {
      await opened.close();
    }
  } finally {
    guard.release();
  }
}

/** An agent with sessions in this process. */
async function openHere(options: ReturnType<typeof workspaceOptions>, news: readonly string[], signal: AbortSignal) {
  const { openWorkspace } = await import("../mcp/open-workspace.ts");
  const workspace = await openWorkspace(options);
  const agent = await workspace.openAgent({ session: "main", owner: "mcp", signal }).catch(async (error) => {
    await workspace.close();
    throw error;
  });
  const { withNews } = await import("../mcp/with-news.ts");
  return { agent: withNews(agent, news), close: () => workspace.close() };
}

/** For users who try the command by hand: otherwise it would wait in silence. */
const waitsForClient =
  "waiting for an MCP client on standard input. Clients start this command themselves: granary mcp --help. Ctrl-C ends it.";
