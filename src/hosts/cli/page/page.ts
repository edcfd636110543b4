import { argumentsOrHelp, refusePositionals } from "../command/arguments-or-help.ts";
import type { CommandContext } from "../command/command-context.ts";
import { exitCodes } from "../command/exit-codes.ts";
import { say } from "../command/say.ts";

const options = { "no-open": { type: "boolean" }, json: { type: "boolean" } } as const;

/** `granary page` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const typed = argumentsOrHelp(args, options, help, context);
  if (typed === null) return exitCodes.ok;
  const { values, positionals } = typed;
  refusePositionals("page", positionals);
  const { siteAddress } = await import("../hub/sites/site-address.ts");
  const address = await siteAddress("page", "granary page", context);
  if (values.json) await say(context.stdout, `${JSON.stringify({ address })}\n`);
  else if (values["no-open"]) await say(context.stdout, `${address}\n`);
  else {
    const { openInBrowser } = await import("./open-in-browser.ts");
    const problem = await openInBrowser(address, context);
    const shown = address.replace(/#.*/, "");
    const opened = `Opened ${shown} in the browser. If none appears: granary page --no-open`;
    await say(context.stderr, `${problem === null ? opened : `${problem} Open this address:`}\n`);
    if (problem !== null) await say(context.stdout, `${address}\n`);
  }
  return exitCodes.ok;
}

const help = `Opens a page in the browser that shows the sessions of the hub: their cells with
output as they run, who ran them, and a place to run your own.

Usage:
  granary page [--no-open] [--json]

The page is on a port of this machine; the hub serves it, and starts if none
runs. The address contains a code that works once, within 5 minutes. Run the
command again for another browser or after a restart of the hub.

Examples:
  granary run --session etl -c 'df = load()'     a session to look at
  granary page                                   opens the browser, or prints
                                                 the address where none is
  granary page --no-open                         prints the address

Options:
      --no-open     print the address instead of opening a browser
      --json        print one JSON document: { address }
  -h, --help        show this

Exit codes:
  0 done      2 wrong usage      3 Granary failed
`;
