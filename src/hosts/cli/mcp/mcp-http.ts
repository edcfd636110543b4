import { ownVersion } from "../../../support/files/own-version.ts";
import type { CommandContext } from "../command/command-context.ts";
import { say } from "../command/say.ts";
import type { StopRequest } from "../command/stop-request.ts";
import { UsageError } from "../command/usage-error.ts";
import type { McpArguments } from "./mcp-arguments.ts";
import { workspaceOptions } from "./mcp-folders.ts";
import { chooseTokens, mcpGreeting } from "./mcp-greeting.ts";

/** `granary mcp --http`: serves all clients until a signal stops it. */
export async function serveClients(args: McpArguments, stop: StopRequest, context: CommandContext): Promise<void> {
  const { stderr } = context;
  const [{ openWorkspace }, { serveHttp }] = await Promise.all([
    import("../../mcp/open-workspace.ts"),
    import("../../mcp/http/serve-http.ts"),
  ]);
  const address = await addressFrom(args);
  const tokens = args.needsToken ? chooseTokens(args.tokens) : null;
  const ownArtifactsOnly = (tokens?.all.length ?? 0) > 1;
  const serving = serveHttp({
    address,
    tokens: tokens?.all ?? null,
    version: await ownVersion(),
    allowedHosts: args.allowedHosts,
    idleMs: args.idleMinutes * 60_000,
    openWorkspace: () => openWorkspace({ ...workspaceOptions(args, context), ownArtifactsOnly }),
    onError: ({ message }) => void say(stderr, `granary: ${message}\n`),
  });
  const server = await serving.catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`The server cannot listen on ${args.http}: ${problems[error.code ?? ""] ?? error.message}.`);
  });
  stderr.write(mcpGreeting(server.url, tokens));
  await stopped(stop.signal);
  await server.close();
}

const problems: Readonly<Record<string, string>> = {
  EADDRINUSE: "something else does already. Choose another port, or 0 for any that is free",
  EACCES: "that port is for the administrator. Choose one above 1023",
  EADDRNOTAVAIL: "this machine does not have that address",
  ENOTFOUND: "there is no such host",
};

async function addressFrom({ http, needsToken }: McpArguments) {
  const { isLoopback, parseHttpAddress } = await import("../../mcp/http/http-address.ts");
  const address = parseHttpAddress(http ?? "");
  if (address === null) {
    throw new UsageError(`--http takes HOST:PORT, such as 127.0.0.1:3333; got ${JSON.stringify(http)}.`);
  }
  if (!needsToken && !isLoopback(address.host)) {
    const danger = `--no-auth would let every client that can reach ${address.host} run code here.`;
    throw new UsageError(`${danger} Leave it out, or listen on 127.0.0.1.`);
  }
  return address;
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
}
