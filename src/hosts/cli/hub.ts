import { readFile } from "node:fs/promises";
import type { HubFacts } from "../../hub/session-facts.ts";
import { granaryHome } from "../../settings/granary-home.ts";
import { argumentsOrHelp } from "./command/arguments-or-help.ts";
import type { CommandContext } from "./command/command-context.ts";
import { exitCodes } from "./command/exit-codes.ts";
import { say } from "./command/say.ts";
import { UsageError } from "./command/usage-error.ts";
import { describeHub } from "./hub/hub-lines.ts";

const options = { json: { type: "boolean" }, force: { type: "boolean" } } as const;

/** `granary hub` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const typed = argumentsOrHelp(args, options, help, context);
  if (typed === null) return exitCodes.ok;
  const { values, positionals } = typed;
  const [action = "status", ...more] = positionals;
  if (more.length > 0) throw new UsageError(`granary hub takes one action, but got ${positionals.join(" ")}.`);
  if (values.force && action !== "stop") throw new UsageError("--force is for granary hub stop.");
  if (values.json && (action === "log" || action === "serve"))
    throw new UsageError(`granary hub ${action} has no --json.`);
  const home = granaryHome(context.env);
  const tell = (document: object, sentence: string): Promise<void> =>
    say(context.stdout, values.json ? `${JSON.stringify(document)}\n` : `${sentence}\n`);
  switch (action) {
    case "serve": {
      const { serve } = await import("./hub/serve.ts");
      return serve(home, context);
    }
    case "status": {
      const { askRunningHub } = await import("./hub/hub-control.ts");
      const facts = await askRunningHub<HubFacts>(context, "status");
      await tell({ hub: facts }, facts === null ? noHub : describeHub(facts, Date.now()));
      return exitCodes.ok;
    }
    case "stop": {
      const { stopHub } = await import("./hub/hub-control.ts");
      const stopped = await stopHub(home, context, { force: values.force ?? false });
      await tell({ stopped }, stopped ? "Stopped the hub and its sessions." : "No hub was running.");
      return exitCodes.ok;
    }
    case "log": {
      const { hubFolder, hubLogIn } = await import("../../hub/start/hub-folder.ts");
      const log = hubLogIn(hubFolder(home));
      // The reason why the last hub has ended is in its own log.
      const texts = await Promise.all([`${log}.old`, log].map((file) => readFile(file, "utf8").catch(() => "")));
      const text = texts.join("");
      await say(context.stdout, text === "" ? "The hub has no log yet.\n" : text);
      return exitCodes.ok;
    }
    case "jupyter": {
      const { siteAddress } = await import("./hub/sites/site-address.ts");
      const address = await siteAddress("jupyter", "granary hub jupyter", context);
      await tell({ address }, address);
      return exitCodes.ok;
    }
    default:
      throw new UsageError(`granary hub takes status, stop, log or jupyter, but got ${action}.`);
  }
}

const noHub = "No hub runs. The first client that needs it starts it: granary run --session NAME -c CODE";

const help = `Shows or stops the hub: the background process that holds sessions, so that they
outlive the command, the editor or the MCP client that uses them.

Usage:
  granary hub [status] [--json]
  granary hub stop [--force] [--json]
  granary hub log
  granary hub jupyter [--json]

The first client that needs the hub starts it. It ends by itself when it has had
neither a client nor a kernel for a while (hub.endAfterMinutes). stop ends its
sessions; while cells run, only with --force. log prints the log of the hub
before, then that of the present one. jupyter opens a Jupyter server on a port
of this machine and prints its address with the token, for editors: VS Code,
JupyterLab and others find the sessions among its kernels.

Examples:
  granary run --session etl -c 'df = load()'     a session that stays
  granary sessions                               what is in the hub
  granary hub stop                               end it, before an upgrade
  granary hub jupyter                            the address for an editor
  GRANARY_HUB=never granary mcp                  work without it

Options:
      --force       stop it also while cells run, or when it hangs
      --json        print one JSON document, for programs
  -h, --help        show this

The JSON document:
  status: { hub: null or { pid, version, startedAt, socket, log, clients,
            sessions } }
  stop:   { stopped }
  jupyter: { address }
  an error: { status: failed, error: { code, message } }

Exit codes:
  0 done      2 wrong usage      3 Granary failed, or cells are running
`;
