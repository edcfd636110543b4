import { PassThrough, Writable } from "node:stream";
import type { Hub, HubClient, HubRequests } from "../../../hub/server/hub.ts";
import type { IncomingCall } from "../../../hub/wire/peer.ts";
import { asCell } from "../../../session/cell/cell-queue.ts";
import type { Execution } from "../../../session/execution/execution.ts";
import type { LocalSession } from "../../../session/local-session.ts";
import { runCells } from "../../../session/run-cells.ts";
import type { SharedSession } from "../../../session/shared-session.ts";
import type { Environment } from "../../../support/environment.ts";
import { type CommandContext, processContext, typedPath } from "../command/command-context.ts";
import { checkFolder, openRuntime } from "../command/open-runtime.ts";
import type { RunEnd } from "../report/report.ts";
import type { RunArguments } from "../run/run-arguments.ts";
import { type RunInHub, readWork, runTypedCells } from "../run/run-typed-cells.ts";
import { SendingReport } from "./sending-report.ts";

/** A run that a client asks the hub for. */
export interface RunWish {
  /** JSON has no Infinity: null for no timeout. */
  readonly args: Omit<RunArguments, "timeoutMs"> & { readonly timeoutMs: number | null };
  readonly cwd: string;
  readonly env: Environment;
  /** Which of the client's streams are terminals. */
  readonly terminals: readonly ("stdin" | "stdout" | "stderr")[];
  /** Whether the client answers `input()`. */
  readonly answers: boolean;
}

/** `granary run --session NAME` in the hub: the run continues when the client is gone. */
export const runRequests: HubRequests = (hub, client) => ({
  run: (wish: RunWish, call: IncomingCall) => runFor(hub, client, wish, call),
  start: (wish: RunWish) => startFor(hub, client, wish),
});

async function runFor(hub: Hub, client: HubClient, wish: RunWish, call: IncomingCall): Promise<RunEnd> {
  const args = argumentsOf(wish);
  const report = new SendingReport(call, { isJson: args.json });
  const answer = (prompt: string, password: boolean, signal: AbortSignal): Promise<string> =>
    client.peer.request<string>("answer", { prompt, password }, { signal });
  return runTypedCells(args, {
    context: contextFor(wish, (text) => void report.note(text.trimEnd())),
    stop: {
      signal: call.cancelled,
      get nobodyReads() {
        return call.gone.aborted;
      },
    },
    person: wish.answers ? { answer } : null,
    report,
    hub: hubFor(hub, client),
  });
}

/** Queues all cells, and returns the ids of their executions. */
async function startFor(hub: Hub, client: HubClient, wish: RunWish): Promise<{ readonly ids: readonly string[] }> {
  const args = argumentsOf(wish);
  const context = contextFor(wish, () => {});
  const cwd = typedPath(args.cwd ?? ".", context);
  await checkFolder(cwd);
  const work = await readWork(args, context, new AbortController().signal);
  const { sessions, owner, label } = hubFor(hub, client);
  const runtime = await openRuntime(args, cwd, context, sessions);
  const hold = runtime.session(args.session, { owner, label });
  const cells = await work(hold.shared, runtime.backend);
  const executions: Execution[] = [];
  const over = runCells(
    { run: (cell, options) => kept(hold.run(cell, options)), hold: () => hold.hold() },
    cells.map(asCell),
    { cellTimeoutMs: args.timeoutMs, background: true, reset: args.reset },
  );
  void over.finally(async () => {
    await hold.leave();
    await runtime.close();
  });
  return { ids: executions.map(({ id }) => id) };

  function kept(execution: Execution): Execution {
    executions.push(execution);
    return execution;
  }
}

export function hubFor(hub: Hub, { owner, name }: HubClient): RunInHub {
  const { sessions } = hub;
  const historyOf = (session: SharedSession) => hub.history(sessions.keyOf(session as LocalSession));
  const hadCells = (session: SharedSession): "here" | "in an earlier hub" | null => {
    const { exists, writtenBefore } = historyOf(session);
    if (!exists) return null;
    return writtenBefore !== null && writtenBefore < Date.parse(hub.startedAt) ? "in an earlier hub" : "here";
  };
  const folderOf = (session: SharedSession): string => sessions.keyOf(session as LocalSession).cwd;
  const elsewhere = (session: SharedSession): readonly string[] => {
    const living = sessions.all.filter(({ id, kernel }) => id === session.id && kernel !== null);
    return [...new Set(living.map(folderOf))].filter((folder) => folder !== folderOf(session));
  };
  return { sessions, owner, label: name, hadCells, elsewhere };
}

function argumentsOf({ args }: RunWish): RunArguments {
  return { ...args, timeoutMs: args.timeoutMs ?? Number.POSITIVE_INFINITY };
}

/** The client's environment, as far as the hub needs it. */
export function contextFor(
  wish: Pick<RunWish, "env" | "cwd" | "terminals">,
  tell: (text: string) => void,
): CommandContext {
  const stderr = new Writable({
    write: (chunk, _encoding, done) => {
      tell(String(chunk));
      done();
    },
  });
  return {
    ...{ env: wish.env, cwd: wish.cwd, loadBackend: processContext.loadBackend },
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr,
    isTerminal: (stream) => wish.terminals.includes(stream),
    onSignal: () => () => {},
    exit: () => {},
  };
}
