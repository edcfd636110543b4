import { agentRequests } from "../../../hub/server/agent-requests.ts";
import { serveHub } from "../../../hub/server/serve-hub.ts";
import { hubFolder } from "../../../hub/start/hub-folder.ts";
import { readHubRecord } from "../../../hub/start/hub-record.ts";
import { ownVersion } from "../../../support/files/own-version.ts";
import { isStillRunning } from "../../../support/process/process-identity.ts";
import { consoleRequests } from "../attach/console-requests.ts";
import type { CommandContext } from "../command/command-context.ts";
import { exitCodes } from "../command/exit-codes.ts";
import { UsageError } from "../command/usage-error.ts";
import { notebookRequests } from "./notebook-requests.ts";
import { runRequests } from "./run-requests.ts";
import { jupyterRequests } from "./sites/jupyter-requests.ts";
import { pageRequests } from "./sites/page-requests.ts";

/** `granary hub serve`: the hub itself. Clients start it; by hand it is only for debugging. */
export async function serve(home: string, context: CommandContext): Promise<number> {
  const running = readHubRecord(hubFolder(home));
  if (running !== null && isStillRunning(running)) {
    throw new UsageError(`A hub runs already, as process ${running.pid}. See: granary hub status`);
  }
  const stop = new AbortController();
  const detach = (["SIGINT", "SIGTERM"] as const).map((name) => context.onSignal(name, () => stop.abort(name)));
  // It belongs to no terminal.
  detach.push(context.onSignal("SIGHUP", () => {}));
  try {
    await serveHub({
      home,
      env: context.env,
      version: await ownVersion(),
      requests: [runRequests, notebookRequests, consoleRequests, agentRequests, jupyterRequests, pageRequests],
      signal: stop.signal,
    });
  } finally {
    for (const off of detach) off();
  }
  return exitCodes.ok;
}
