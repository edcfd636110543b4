import type { NotebookProgress, NotebookRun } from "../../../execute/notebook/notebook-run.ts";
import { runNotebook } from "../../../execute/run-notebook.ts";
import type { Hub, HubClient, HubRequests } from "../../../hub/server/hub.ts";
import type { IncomingCall } from "../../../hub/wire/peer.ts";
import { typedPath } from "../command/command-context.ts";
import { checkFolder, openRuntime } from "../command/open-runtime.ts";
import type { NotebookRunArguments } from "../notebook/run/notebook-run-arguments.ts";
import { hubNotWanted, tellThatItStays } from "../run/run-typed-cells.ts";
import { contextFor, hubFor, type RunWish } from "./run-requests.ts";
import { BusyWait, sayBusy } from "./say-busy.ts";

/** A run of a notebook that a client asks the hub for. */
export interface NotebookWish extends Pick<RunWish, "cwd" | "env" | "terminals"> {
  /** JSON has no Infinity: null for no timeout. */
  readonly args: Omit<NotebookRunArguments, "timeoutMs"> & { readonly timeoutMs: number | null };
  readonly path: string;
  /** Where to save it; null for the notebook itself. */
  readonly saveTo: string | null;
}

/** Is sent to the client as the run proceeds. */
export type NotebookNews = { readonly progress: NotebookProgress } | { readonly note: string };

export interface NotebookEnd {
  readonly run: NotebookRun;
  readonly generation: number;
  readonly state: string;
}

/** `granary notebook run --session NAME` in the hub, where the page shows it live: the run continues when the client is gone. */
export const notebookRequests: HubRequests = (hub, client) => ({
  notebook: (wish: NotebookWish, call: IncomingCall) => runFor(hub, client, wish, call),
});

async function runFor(hub: Hub, client: HubClient, wish: NotebookWish, call: IncomingCall): Promise<NotebookEnd> {
  const { args, path, saveTo } = wish;
  const tell = (news: NotebookNews): void => void (call.gone.aborted || call.tell({ ...news }));
  const context = contextFor(wish, (text) => tell({ note: text.trimEnd() }));
  const cwd = typedPath(args.cwd ?? ".", context);
  await checkFolder(cwd);
  const inHub = hubFor(hub, client);
  const forRun = { extraEnv: {}, kernel: undefined, attach: undefined, reset: false, source: noCode };
  await using runtime = await openRuntime({ ...args, ...forRun }, cwd, context, inHub.sessions);
  if (runtime.settings.hub.use === "never") throw hubNotWanted();
  await using session = runtime.session(args.session, { owner: inHub.owner, label: inHub.label });
  const note = async (sentence: string): Promise<void> => tell({ note: sentence });
  using _telling = { [Symbol.dispose]: tellThatItStays(session.shared, inHub, note) };
  using waiting = sayBusy(session.shared, (sentence) => tell({ note: `granary: ${sentence}` }));
  const timeoutMs = args.timeoutMs ?? Number.POSITIVE_INFINITY;
  using busyWait = new BusyWait(session.shared, timeoutMs);
  const { cells, from, resume, allowErrors, parameters, recordTimes } = args;
  const run = await runNotebook(session, path, {
    ...{ cells, from, resume, allowErrors, parameters, recordTimes },
    timeoutMs,
    saveTo: saveTo ?? undefined,
    maxCellMegabytes: runtime.settings.notebook.maxCellMegabytes,
    signal: AbortSignal.any([call.cancelled, busyWait.signal]),
    onProgress: (progress) => tell({ progress }),
    onEvent: ({ type }) => {
      if (type !== "started") return;
      waiting[Symbol.dispose]();
      busyWait[Symbol.dispose]();
    },
  });
  const { generation, kernel } = session.shared;
  const { whyLate } = busyWait;
  return { run: whyLate === null ? run : notBegun(run, whyLate), generation, state: kernel?.state ?? "dead" };
}

/** No cell of it has run: the session was busy for too long. */
function notBegun(run: NotebookRun, message: string): NotebookRun {
  const cells = run.cells.map((cell) => ({ ...cell, error: null }));
  return { ...run, cells, failed: null, status: "timeout", failure: { code: "session-busy", message } };
}

const noCode = { type: "code" as const, cells: [] };
