import type { HubRequests } from "../../../hub/server/hub.ts";
import type { IncomingCall } from "../../../hub/wire/peer.ts";
import type { Environment } from "../../../support/environment.ts";
import type { RunArguments } from "../run/run-arguments.ts";
import { ClientTerminal, type SentSize } from "./client-terminal.ts";

/** A console that a client asks the hub for. */
export interface ConsoleWish {
  /** JSON has no Infinity: null for no timeout. */
  readonly args: Omit<RunArguments, "timeoutMs"> & { readonly timeoutMs: number | null };
  readonly cwd: string;
  readonly env: Environment;
  readonly size: SentSize;
  /** Whether to join a living session of that name, also of another folder, instead of opening one here. */
  readonly joins: boolean;
}

/** The console runs in the hub, beside its session; the client is its terminal. */
export const consoleRequests: HubRequests = (hub, client) => {
  let terminal: ClientTerminal | null = null;
  return {
    console: async (wish: ConsoleWish, call: IncomingCall) => {
      const { serveConsole } = await import("./serve-console.ts");
      terminal = new ClientTerminal(call, wish.size);
      return serveConsole(wish, { hub, client, terminal, signal: AbortSignal.any([call.cancelled, call.gone]) });
    },
    "console.input": async (_: object, { body }: IncomingCall) => terminal?.input(String(body ?? "")),
    "console.resized": async (size: SentSize) => terminal?.resize(size),
    "console.resumed": async (size: SentSize) => terminal?.resumed(size),
    "console.gone": async () => terminal?.gone(),
  };
};
