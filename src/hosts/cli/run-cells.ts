import type { KernelInfo } from "../../kernel/kernel.ts";
import type { Granary } from "../../runtime/granary.ts";
import type { ExecutionResult } from "../../session/execution.ts";
import type { Session } from "../../session/session.ts";
import { explainResult } from "./explain-result.ts";
import { openRuntime } from "./open-runtime.ts";
import type { Person } from "./person.ts";
import { checkFolder, readCells } from "./read-cells.ts";
import type { Report, RunEnd } from "./report.ts";
import type { RunArguments } from "./run-arguments.ts";
import { sayHowLongItLasts } from "./session-life.ts";
import type { StopRequest } from "./stop-request.ts";
import type { Surroundings } from "./surroundings.ts";
import { typedPath } from "./typed-path.ts";

export interface RunContext {
  readonly surroundings: Surroundings;
  readonly stop: StopRequest;
  /** Null when nobody could answer `input()`. */
  readonly person: Person | null;
  readonly report: Report;
}

/** Runs the cells one after the other in a session of their own, up to the first that fails. */
export async function runCells(args: RunArguments, context: RunContext): Promise<RunEnd> {
  const { surroundings, stop, person, report } = context;
  const cells = await readCells(args.source, surroundings, stop.signal);
  const cwd = typedPath(args.cwd ?? ".", surroundings);
  await using granary = await openRuntime(args, cwd, surroundings);
  report.runBegins(granary.settings);
  if (granary.site === "here") await checkFolder(cwd);
  const { session } = granary.session(args.session ?? "run");
  if (args.session !== undefined) tellHowLongItLasts(session, granary, (sentence) => report.note(sentence));
  session.onBackground((text, name) => report.background(text, name));
  const kernel = new KernelWitness(session);

  let last: ExecutionResult | undefined;
  for (const [index, code] of cells.entries()) {
    report.cellBegins();
    last = await session.run(code, {
      timeoutMs: args.timeoutMs,
      signal: stop.signal,
      reset: args.reset && index === 0,
      answer: person === null ? undefined : (...question) => ask(person, report, question),
      onRetry: (sentence) => report.note(sentence),
      onEvent: (event, text) => (stop.nobodyReads ? undefined : report.take(event, text)),
    }).result;
    const couldNotStart = last.attempts === 0 && last.failure !== null;
    if (couldNotStart) throw last.failure?.cause;
    await report.cellEnds(last);
    if (last.status === "ok") {
      // Who was told that the cell ran twice knows.
      if (last.attempts === 1) for (const sentence of last.notices) await report.note(sentence);
      continue;
    }

    if (!stop.nobodyReads) {
      const place = { number: index + 1, of: cells.length };
      for (const sentence of explainResult(last, place, args.timeoutMs)) await report.note(sentence);
    }
    return { ...endOf(last), kernel: kernel.now, skippedCells: cells.length - index - 1 };
  }
  return { ...endOf(last), kernel: kernel.now, skippedCells: 0 };
}

async function ask(person: Person, report: Report, question: Parameters<Person["answer"]>): Promise<string> {
  await report.personIsAsked();
  return person.answer(...question);
}

function tellHowLongItLasts(session: Session, granary: Granary, note: (sentence: string) => Promise<void>): void {
  const stop = session.watch(({ to }) => {
    if (to !== "ready" || session.info === null) return;
    stop();
    const sentence = sayHowLongItLasts(session.id, session.info, granary);
    if (sentence !== null) void note(`granary: ${sentence}`);
  });
}

function endOf(result: ExecutionResult | undefined): Pick<RunEnd, "status" | "error"> {
  const failure = result?.failure ?? null;
  return { status: result?.status ?? "ok", error: failure && { code: failure.code, message: failure.message } };
}

/** Remembers which kernel there was, also when it is gone. */
class KernelWitness {
  readonly #session: Session;
  #info: KernelInfo | null = null;

  constructor(session: Session) {
    this.#session = session;
    session.watch(() => {
      this.#info = session.info ?? this.#info;
    });
  }

  get now(): RunEnd["kernel"] {
    const { kernel, generation } = this.#session;
    return this.#info && { info: this.#info, state: kernel?.state ?? "dead", generation };
  }
}
