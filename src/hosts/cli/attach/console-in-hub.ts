import { connectHub } from "../../../hub/client/connect-hub.ts";
import type { Peer } from "../../../hub/wire/peer.ts";
import { granaryHome } from "../../../settings/granary-home.ts";
import { ownVersion } from "../../../support/files/own-version.ts";
import { isGranaryError } from "../../../support/granary-error.ts";
import { type CommandContext, typedPath } from "../command/command-context.ts";
import { type EndingSignal, endBySignal } from "../command/end-by-signal.ts";
import { exitCodes } from "../command/exit-codes.ts";
import { say } from "../command/say.ts";
import { UsageError } from "../command/usage-error.ts";
import type { RunArguments } from "../run/run-arguments.ts";
import { sayFolder, typeAgain } from "../sessions/typed-session.ts";
import type { SentSize, SentToTerminal } from "./client-terminal.ts";
import type { ConsoleWish } from "./console-requests.ts";
import type { LeftSession } from "./serve-console.ts";

type RealTerminal = import("../../tui/terminal-device.ts").RealTerminal;

/** Shows the console of the hub at this terminal; null where the settings want no hub. */
export async function consoleInHub(
  args: RunArguments,
  context: CommandContext,
  { joins }: { readonly joins: boolean },
): Promise<number | null> {
  const { env, stdin, stdout, onSignal } = context;
  const peer = await connectHub({
    ...{ home: granaryHome(env), env, version: await ownVersion(), name: "console", starts: !joins },
    settingsOf: typedPath(args.cwd ?? ".", context),
  });
  if (peer === null && !joins) return null;
  if (peer === null) throw new UsageError(`There is no session ${args.session}: no hub runs.`);
  const { RealTerminal } = await import("../../tui/terminal-device.ts");
  const device = new RealTerminal(stdin, stdout);
  const stop = new AbortController();
  let left: LeftSession | null = null;
  const detach = (["SIGTERM", "SIGHUP"] as const).map((name) => onSignal(name, () => stop.abort(name)));
  try {
    left = await peer.request<LeftSession>("console", wishFor(args, context, { joins, size: sizeOf(device) }), {
      signal: stop.signal,
      onEvent: (event, body) => perform(event as unknown as SentToTerminal, String(body ?? ""), device, peer),
    });
  } catch (error) {
    if (isGranaryError(error) && error.details.notWanted === true) return null;
    throw error;
  } finally {
    device.close();
    peer.close();
    for (const off of detach) off();
  }
  if (device.isGone) return endBySignal("SIGHUP");
  if (left !== null && left.stays !== null) await say(context.stderr, sayStays(left.stays, context));
  return stop.signal.aborted ? endBySignal(stop.signal.reason as EndingSignal) : exitCodes.ok;
}

function sayStays(left: NonNullable<LeftSession["stays"]>, context: CommandContext): string {
  const again = typeAgain(left, context);
  return (
    `granary: The session ${left.name}${sayFolder(left.folder, context)} stays.\n` +
    `granary: Return to it: granary attach ${again}\n` +
    `granary: End it: granary sessions stop ${again}\n`
  );
}

function wishFor(
  args: RunArguments,
  { cwd, env }: CommandContext,
  rest: Pick<ConsoleWish, "joins" | "size">,
): ConsoleWish {
  const timeoutMs = args.timeoutMs === Number.POSITIVE_INFINITY ? null : args.timeoutMs;
  return { args: { ...args, timeoutMs }, cwd, env: { ...env }, ...rest };
}

function perform({ do: what }: SentToTerminal, text: string, device: RealTerminal, peer: Peer): void {
  switch (what) {
    case "open":
      return device.open({
        input: (typed) => report(peer, "console.input", {}, typed),
        resized: () => report(peer, "console.resized", sizeOf(device)),
        gone: () => report(peer, "console.gone"),
      });
    case "write":
      return device.write(text);
    case "close":
      return device.close();
    case "useKeyboardProtocol":
      return device.useKeyboardProtocol();
    case "suspend":
      process.once("SIGCONT", () => report(peer, "console.resumed", sizeOf(device)));
      // The whole group, as the terminal does: a parent such as npm as well.
      process.kill(0, "SIGTSTP");
      return;
    default:
      return what satisfies never;
  }
}

/** A hub that has ended is reported by the console's own request. */
function report(peer: Peer, method: string, params: object = {}, body?: string): void {
  peer.request(method, params, { body }).catch(() => {});
}

function sizeOf({ columns, rows }: RealTerminal): SentSize {
  return { columns, rows };
}
