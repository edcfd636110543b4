import { connectHub } from "../../../hub/client/connect-hub.ts";
import type { Peer } from "../../../hub/wire/peer.ts";
import { granaryHome } from "../../../settings/granary-home.ts";
import { ownVersion } from "../../../support/files/own-version.ts";
import { GranaryError, isGranaryError } from "../../../support/granary-error.ts";
import { type CommandContext, typedPath } from "../command/command-context.ts";
import type { StopRequest } from "../command/stop-request.ts";
import { write } from "../command/write.ts";
import type { RunWish } from "../hub/run-requests.ts";
import { replay, type SentReport } from "../hub/sent-report.ts";
import type { Report, RunEnd } from "../report/report.ts";
import type { Person } from "./person.ts";
import type { RunArguments } from "./run-arguments.ts";

export interface RunClient {
  readonly context: CommandContext;
  readonly stop: StopRequest;
  readonly person: Person | null;
  readonly report: Report;
}

/** Runs the cells in a session of the hub; null where the hub is not wanted or cannot start, so that they run in this process. */
export async function runInHub(args: RunArguments, client: RunClient): Promise<RunEnd | null> {
  const wish = await wishFor(args, client);
  const send = args.background ? start : run;
  let end: Promise<RunEnd> | null = null;
  const peer = await connect(args, client, (greeted) => {
    end = send(greeted, wish, client);
    // A greeting that fails says why.
    end.catch(() => {});
  });
  if (peer === null) return null;
  try {
    return await end;
  } catch (error) {
    if (isGranaryError(error) && error.details.notWanted === true) return null;
    throw error;
  } finally {
    // The answer is here: nothing is left to send, and a busy hub need not say goodbye. A process that ends in this turn saves the time.
    setImmediate(() => setImmediate(() => peer.destroy()));
  }
}

function run(peer: Peer, wish: RunWish, { stop, report }: RunClient): Promise<RunEnd> {
  return peer.request<RunEnd>("run", wish, {
    signal: stop.signal,
    onEvent: (event, body) => (stop.nobodyReads ? undefined : replay(report, event as unknown as SentReport, body)),
  });
}

/** Prints the ids of the executions, one on each line. */
async function start(peer: Peer, wish: RunWish, { context }: RunClient): Promise<RunEnd> {
  const { ids } = await peer.request<{ readonly ids: readonly string[] }>("start", wish);
  await write(context.stdout, ids.map((id) => `${id}\n`).join(""));
  return { status: "ok", error: null, kernel: null, skippedCells: 0, unfinishedThreads: [], exitStatus: null };
}

async function connect(
  { cwd = "." }: RunArguments,
  { context, person, report, stop }: RunClient,
  along: (peer: Peer) => void,
): Promise<Peer | null> {
  const { env } = context;
  try {
    return await connectHub({
      home: granaryHome(env),
      env,
      version: await ownVersion(),
      name: "granary run",
      settingsOf: typedPath(cwd, context),
      signal: stop.signal,
      along,
      handlers: {
        answer: ({ prompt, password }: Question, { cancelled }) => {
          if (person === null) throw new GranaryError("hub-protocol", "This client answers no questions.");
          return person.answer(prompt, password, cancelled);
        },
      },
    });
  } catch (error) {
    if (!isGranaryError(error, "hub-start")) throw error;
    await report.note(`granary: ${error.message}`);
    return null;
  }
}

interface Question {
  readonly prompt: string;
  readonly password: boolean;
}

/** The hub cannot read the client's standard input, so its code goes along. */
async function wishFor(args: RunArguments, { context, person, stop }: RunClient): Promise<RunWish> {
  const { source, timeoutMs } = args;
  const isTyped = source.type === "stdin" && source.args.length === 0;
  const typed = isTyped ? { type: "code" as const, cells: await readTyped(source, context, stop) } : source;
  if (typed.type === "stdin") {
    throw new GranaryError("usage", "Code from standard input takes no arguments with --session. Give a file.");
  }
  return {
    args: { ...args, source: typed, timeoutMs: timeoutMs === Number.POSITIVE_INFINITY ? null : timeoutMs },
    cwd: context.cwd,
    env: { ...context.env },
    terminals: (["stdin", "stdout", "stderr"] as const).filter((stream) => context.isTerminal(stream)),
    answers: person !== null,
  };
}

/** Loaded only where code is typed: it needs more of Node than the rest. */
async function readTyped(
  source: Extract<RunArguments["source"], { readonly type: "stdin" }>,
  context: CommandContext,
  { signal }: StopRequest,
): Promise<readonly string[]> {
  const { readCells } = await import("./read-cells.ts");
  return readCells(source, context, signal);
}
