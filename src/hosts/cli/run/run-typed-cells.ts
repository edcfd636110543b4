import { constants } from "node:os";
import { KernelError } from "../../../kernel/errors.ts";
import type { ExitReport, Kernel, KernelInfo } from "../../../kernel/kernel.ts";
import type { Runtime } from "../../../runtime/runtime.ts";
import type { SharedSessions } from "../../../runtime/shared-sessions.ts";
import { asCell } from "../../../session/cell/cell-queue.ts";
import { exitStatusOf } from "../../../session/cell/exit-status.ts";
import type { Cell, ExecutionResult } from "../../../session/execution/execution.ts";
import type { Failure } from "../../../session/failure.ts";
import { runCells } from "../../../session/run-cells.ts";
import type { SharedSession } from "../../../session/shared-session.ts";
import { GranaryError } from "../../../support/granary-error.ts";
import { shellWord } from "../../../support/shell-word.ts";
import { type CommandContext, typedPath } from "../command/command-context.ts";
import { checkFolder, openRuntime } from "../command/open-runtime.ts";
import { outlivesCommands, sayHowLongItLasts } from "../command/session-life.ts";
import type { StopRequest } from "../command/stop-request.ts";
import type { BusyWait } from "../hub/say-busy.ts";
import type { Report, RunEnd } from "../report/report.ts";
import { explainResult } from "./explain-result.ts";
import { explainFinish, finishRun, type RunFinish } from "./finish-run.ts";
import type { Person } from "./person.ts";
import type { RunArguments } from "./run-arguments.ts";

export interface TypedRun {
  readonly context: CommandContext;
  readonly stop: Pick<StopRequest, "signal" | "nobodyReads">;
  /** Null when `input()` cannot be answered. */
  readonly person: Pick<Person, "answer"> | null;
  readonly report: Report;
  /** The hub's sessions, where this runs in the hub for a client. */
  readonly hub?: RunInHub | undefined;
}

export interface RunInHub {
  readonly sessions: SharedSessions;
  /** The client, and its name for people. */
  readonly owner: string;
  readonly label: string;
  /** Where a session of that name and folder had cells before; null if there was none. */
  hadCells(session: SharedSession): "here" | "in an earlier hub" | null;
  /** The folders of other living sessions of that name. */
  elsewhere(session: SharedSession): readonly string[];
}

/** Runs the cells one after the other in their own session, up to the first that fails. */
export async function runTypedCells(args: RunArguments, run: TypedRun): Promise<RunEnd> {
  const { context, stop, person, report } = run;
  const work = await readWork(args, context, stop.signal);
  const cwd = typedPath(args.cwd ?? ".", context);
  await using runtime = await openRuntime(args, cwd, context, run.hub?.sessions);
  if (run.hub !== undefined && runtime.settings.hub.use === "never") throw hubNotWanted();
  report.runBegins(runtime.settings);
  if (runtime.site === "here") await checkFolder(cwd);
  await using hold = runtime.session(args.session ?? "run", { owner: run.hub?.owner, label: run.hub?.label });
  const { shared: session } = hold;
  // In the hub the session outlives this run, and must not hold on to it.
  using _telling =
    run.hub === undefined
      ? null
      : { [Symbol.dispose]: tellThatItStays(session, run.hub, (sentence) => report.note(sentence)) };
  if (run.hub === undefined && args.session !== undefined)
    tellHowLongItLasts(session, runtime, (sentence) => report.note(sentence));
  if (run.hub !== undefined) await tellIgnoredVariables(args, session, report);
  // Its reader must not take the output that comes later.
  using _hearing = { [Symbol.dispose]: session.onBackground((text, name) => report.background(text, name)) };
  using kernel = new KernelSeen(session);
  // Also a program waits from here on: its cell is made in the session's turn.
  using busyWait = await busyWaitFor(session, run, args.timeoutMs);
  using waiting = await sayWhileBusy(session, run);
  const cells = await work(session, runtime.backend, busyWait?.signal);
  const choices = {
    signal: busyWait === null ? stop.signal : AbortSignal.any([stop.signal, busyWait.signal]),
    answer: person === null ? undefined : (...question: Parameters<Person["answer"]>) => ask(person, report, question),
  };

  let exits = false;
  if (cells.length > 0) report.cellBegins();
  const { cells: results } = await runCells(run.hub === undefined ? session : hold, cells.map(asCell), {
    ...choices,
    cellTimeoutMs: args.timeoutMs,
    // Only JSON has the bundles.
    forms: args.json ? "all" : "readable",
    reset: args.reset,
    onRetry: (sentence) => report.note(sentence),
    onEvent: (...event) => {
      if (event[0].type === "started") {
        waiting?.[Symbol.dispose]();
        busyWait?.[Symbol.dispose]();
      }
      if (event[0].type === "done") exits = event[0].exits ?? false;
      return stop.nobodyReads ? undefined : report.take(...event);
    },
    wantsNext: async (index, result) => {
      if (result.failure?.code === "session-shared") throw await whyNoReset(session, result.failure);
      requireStart(result);
      await report.cellEnds(result);
      const isPlain = result.status === "ok" || (result.status === "error" && result.ledger.state !== "restored");
      // After a retry, `onRetry` has shown the notices already.
      if (isPlain && result.attempts === 1) for (const sentence of result.notices) await report.note(sentence);
      if (result.status !== "ok") return false;
      // As in Python, and in a notebook: nothing runs after `sys.exit()`.
      if (exits || index + 1 === cells.length) return false;
      report.cellBegins();
      return true;
    },
  });
  const last = results.at(-1);
  if (last?.attempts === 0 && busyWait !== null && busyWait.whyLate !== null) {
    await report.note(`granary: ${busyWait.whyLate}`);
    const error = { code: "session-busy" as const, message: busyWait.whyLate };
    return {
      ...endOf(last),
      status: "timeout",
      error,
      skippedCells: cells.length - results.length,
      kernel: kernel.now,
      unfinishedThreads: [],
    };
  }
  if (last !== undefined && last.status !== "ok") {
    const exit = isProgram(args) ? programExit(exitOf(last)) : null;
    if (exit !== null) {
      // Without a session, no later command would miss the variables.
      const about = args.session === undefined ? [] : aboutVariables(last);
      return endOfProgram(exit, about, kernel.now, report);
    }
    const place = { number: results.length, of: cells.length };
    const sentences = stop.nobodyReads ? [] : explainResult(last, place, args.timeoutMs);
    const restored = last.ledger.state === "restored" ? last.notices : [];
    for (const sentence of [...sentences, ...restored]) await report.note(sentence);
  }
  const end = { ...endOf(last), skippedCells: cells.length - results.length };
  const isOver = end.status !== "ok" && end.status !== "error";
  if (isOver || run.hub !== undefined || outlivesThisRun(args, runtime))
    return { ...end, kernel: kernel.now, unfinishedThreads: [] };
  const finish = await finishRun(session, kernel.last, { ...choices, timeoutMs: args.timeoutMs }, report);
  for (const sentence of explainFinish(finish, args.timeoutMs)) await report.note(sentence);
  return { ...end, kernel: kernel.now, unfinishedThreads: [], ...changedBy(finish, args) };
}

/** The wait at the end of a run may fail after all cells have succeeded. */
function changedBy(finish: RunFinish, args: RunArguments): Partial<RunEnd> {
  if (finish.status === "ok") return {};
  if (finish.status !== "failed") return finish;
  const { status, error, exit } = finish;
  return { status, error, exitStatus: (isProgram(args) ? programExit(exit)?.status : null) ?? null };
}

/** Only in the hub can a cell of another client be in the way, or the kernels of others. */
async function sayWhileBusy(session: SharedSession, { hub, report }: TypedRun): Promise<Disposable | null> {
  if (hub === undefined || (session.busyWith === null && session.kernel !== null)) return null;
  const { sayBusy } = await import("../hub/say-busy.ts");
  return sayBusy(session, (sentence) => void report.note(`granary: ${sentence}`));
}

/** The command line has no `force`, so the sentence names commands. */
async function whyNoReset(session: SharedSession, { cause }: Failure): Promise<GranaryError> {
  const { sayNoReset } = await import("../hub/say-busy.ts");
  const { others } = (cause as GranaryError).details;
  return new GranaryError("session-shared", sayNoReset(session, others as readonly string[]), { cause });
}

/** Null where nothing is in the way, as most of the time. */
async function busyWaitFor(session: SharedSession, { hub }: TypedRun, timeoutMs: number): Promise<BusyWait | null> {
  if (hub === undefined || session.busyWith === null) return null;
  const { BusyWait } = await import("../hub/say-busy.ts");
  return new BusyWait(session, timeoutMs);
}

/** A Python that runs keeps the environment that it was started with. */
async function tellIgnoredVariables(
  { extraEnv, reset }: RunArguments,
  { id, kernel }: SharedSession,
  report: Report,
): Promise<void> {
  const names = Object.keys(extraEnv);
  if (names.length === 0 || reset || kernel === null) return;
  const remedy = "Set it in a cell with os.environ, or start Python again with --reset.";
  await report.note(`granary: --env ${names.join(", ")} is ignored: Python of the session ${id} is running. ${remedy}`);
}

export function hubNotWanted(): GranaryError {
  return new GranaryError("hub-refused", "The setting hub.use is never.", { details: { notWanted: true } });
}

function isProgram({ source }: RunArguments): boolean {
  return source.type === "file" || source.type === "module";
}

/** The end of a program that ended Python, as it would end alone, and what became of the session's variables. */
async function endOfProgram(
  { status, sentence }: ProgramExit,
  aboutVariables: readonly string[],
  kernel: RunEnd["kernel"],
  report: Report,
): Promise<RunEnd> {
  const isGood = status === 0;
  for (const each of isGood ? aboutVariables : [sentence, ...aboutVariables]) await report.note(each);
  const error = isGood ? null : { code: "kernel-died", message: sentence };
  return {
    status: isGood ? "ok" : "failed",
    error,
    exitStatus: status,
    kernel,
    skippedCells: 0,
    unfinishedThreads: [],
  };
}

function aboutVariables({ ledger, notices }: ExecutionResult): readonly string[] {
  if (ledger.state === "restored") return notices;
  return ledger.state === "lost" ? ["The session's variables are gone."] : [];
}

/** @param late aborts when the session was busy for too long */
type CellsOfWork = (
  session: SharedSession,
  backend: Runtime["backend"],
  late?: AbortSignal,
) => readonly (Cell | string)[] | Promise<readonly (Cell | string)[]>;

/** Reads the source. The returned function makes cells of it, which may need the kernel. */
export async function readWork(
  { source, cwd = ".", sandbox }: RunArguments,
  context: CommandContext,
  signal: AbortSignal,
): Promise<CellsOfWork> {
  if (source.type === "code") return () => source.cells;
  if (source.type === "stdin" && source.args.length === 0) {
    const { readCells } = await import("./read-cells.ts");
    const cells = await readCells(source, context, signal);
    return () => cells;
  }
  const { readProgram } = await import("./read-program.ts");
  const program = await readProgram(source, context, signal, { folder: typedPath(cwd, context), sandbox });
  return async (session, backend, late) => {
    const untilLate = late === undefined ? signal : AbortSignal.any([signal, late]);
    requireStart(await session.run("", { onlyStarts: true, signal: untilLate }).result);
    // A cell that is not run, as there is one of code that comes too late.
    if (late?.aborted) return [""];
    return program.cells(session, backend, signal);
  };
}

/** Whether threads may keep running: the kernel stays for a later command, or is not ours. */
function outlivesThisRun({ session }: RunArguments, { backend, site }: Runtime): boolean {
  return site === "attached" || (session !== undefined && outlivesCommands(backend, site));
}

async function ask(
  person: Pick<Person, "answer">,
  report: Report,
  question: Parameters<Person["answer"]>,
): Promise<string> {
  await report.personIsAsked();
  return person.answer(...question);
}

export function tellThatItStays(
  session: SharedSession,
  hub: RunInHub,
  note: (sentence: string) => Promise<void>,
): () => void {
  const stop = session.watch(({ from, to }) => {
    if (from !== "provisioning" || to !== "ready") return;
    stop();
    if (session.generation !== 1) return;
    const gone = `Its earlier variables are gone; its history: granary sessions show ${shellWord(session.id)}`;
    const had = hub.hadCells(session);
    const lost = had === null ? "" : `${had === "here" ? "" : " The hub that had it has ended."} ${gone}`;
    const others = sayElsewhere(hub.elsewhere(session));
    void note(`granary: The session ${session.id} is new; it stays in the hub.${lost || others}`);
  });
  return stop;
}

function sayElsewhere(folders: readonly string[]): string {
  const [first, ...more] = folders;
  if (first === undefined) return "";
  if (more.length === 0) return ` Another one of that name is in ${first}: --cwd ${shellWord(first)}`;
  return ` Others of that name are in ${folders.join(", ")}; choose one with --cwd.`;
}

function tellHowLongItLasts(session: SharedSession, runtime: Runtime, note: (sentence: string) => Promise<void>): void {
  const stop = session.watch(({ to }) => {
    if (to !== "ready" || session.info === null) return;
    stop();
    const sentence = sayHowLongItLasts(session.id, session.info, runtime);
    if (sentence !== null) void note(`granary: ${sentence}`);
  });
}

function endOf(result: ExecutionResult | undefined): Pick<RunEnd, "status" | "error" | "exitStatus"> {
  const failure = result?.failure ?? null;
  return {
    status: result?.status ?? "ok",
    error: failure && { code: failure.code, message: failure.message },
    exitStatus: result?.status === "error" && result.error !== null ? exitStatusOf(result.error) : null,
  };
}

/** A kernel that cannot start fails the run, not a cell. */
function requireStart({ attempts, failure }: ExecutionResult): void {
  if (attempts === 0 && failure !== null) throw failure.cause;
}

/** Remembers the kernel, also after its end. */
class KernelSeen implements Disposable {
  readonly #session: SharedSession;
  readonly #stop: () => void;
  #info: KernelInfo | null = null;
  /** The kernel itself, where it is one of this process. */
  last: Kernel | null = null;

  constructor(session: SharedSession) {
    this.#session = session;
    this.#stop = session.watch(() => {
      this.#info = session.info ?? this.#info;
      this.last = session.kernel ?? this.last;
    });
  }

  [Symbol.dispose](): void {
    this.#stop();
  }

  get now(): RunEnd["kernel"] {
    const { kernel, generation } = this.#session;
    return this.#info && { info: this.#info, state: kernel?.state ?? "dead", generation };
  }
}

interface ProgramExit {
  readonly status: number;
  readonly sentence: string;
}

function exitOf({ failure }: ExecutionResult): ExitReport | undefined {
  return failure?.cause instanceof KernelError ? failure.cause.details.exit : undefined;
}

/** How Python ended in the middle of a program: after `os._exit()`, or by a signal, as a shell reports it. Null if it did not end. */
function programExit(exit: ExitReport | undefined): ProgramExit | null {
  if (exit === undefined || !exit.byItself) return null;
  const status = exit.signal === null ? exit.exitCode : 128 + constants.signals[exit.signal];
  return status === null ? null : { status, sentence: exit.summary };
}
