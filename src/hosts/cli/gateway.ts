import {
  type SharedGatewayStatus,
  sharedGateways,
  stopSharedGateways,
} from "../../kernel/gateway/shared/shared-gateway.ts";
import { granaryHome } from "../../settings/granary-home.ts";
import { argumentsOrHelp } from "./command/arguments-or-help.ts";
import type { CommandContext } from "./command/command-context.ts";
import { exitCodes } from "./command/exit-codes.ts";
import { say } from "./command/say.ts";
import { StopRequest } from "./command/stop-request.ts";
import { UsageError } from "./command/usage-error.ts";
import { describeGateway } from "./doctor/gateway-lines.ts";

const options = { json: { type: "boolean" } } as const;

/** `granary gateway` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const typed = argumentsOrHelp(args, options, help, context);
  if (typed === null) return exitCodes.ok;
  const { values, positionals } = typed;
  const [action = "status", ...more] = positionals;
  if (more.length > 0 || (action !== "status" && action !== "stop"))
    throw new UsageError(`granary gateway takes status or stop, but got ${positionals.join(" ")}.`);
  const tell = (document: object, sentence: string): Promise<void> =>
    say(context.stdout, values.json ? `${JSON.stringify(document)}\n` : `${sentence}\n`);
  const home = granaryHome(context.env);
  using stop = new StopRequest(context);
  try {
    if (action === "status") {
      const gateways = await sharedGateways(home);
      await tell({ gateways }, statusText(gateways));
    } else {
      const stopped = await stopSharedGateways(home, stop.signal);
      await tell({ stopped }, stoppedText(stopped));
    }
    return exitCodes.ok;
  } catch (error) {
    if (stop.reason === null) throw error;
    return stop.exitCode ?? exitCodes.cancelled;
  }
}

function statusText(gateways: readonly SharedGatewayStatus[]): string {
  if (gateways.length === 0) return "No gateway runs. The first cell on the backend gateway starts one.";
  return gateways.map((gateway) => describeGateway(gateway, Date.now()).join("\n")).join("\n\n");
}

function stoppedText(count: number): string {
  if (count === 0) return "No gateway was running.";
  return count === 1 ? "Stopped the gateway and its kernels." : `Stopped ${count} gateways and their kernels.`;
}

const help = `Shows or stops the Jupyter gateways that Granary has started on this machine.

Usage:
  granary gateway [status] [--json]
  granary gateway stop [--json]

Cells on the backend gateway run behind a Jupyter Kernel Gateway: one for each
Python and environment, shared by all processes of Granary. The first cell that
needs it starts it. It ends by itself 15 minutes after its last kernel. Stopping
it ends its kernels, including those that other processes use.

An external gateway (PI_PYTHON_GATEWAY_URL) is neither shown nor stopped here.

Options:
      --json        print one JSON document, for programs
  -h, --help        show this

Examples:
  granary run --backend gateway -c 'print(6*7)'
  granary gateway
  granary gateway stop

The JSON document:
  status: { gateways: [{ folder, pid, url, interpreter, startedAt, log,
            healthy, kernels }] }
  stop:   { stopped }, how many there were

Exit codes:
  0 done      2 wrong usage      3 Granary failed      130 cancelled
`;
