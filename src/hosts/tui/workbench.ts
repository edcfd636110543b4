import type { HistoryCell } from "../../hub/history/history-cell.ts";
import type { StreamName } from "../../kernel/events.ts";
import type { KernelInfo, ReadersTerminal } from "../../kernel/kernel.ts";
import type { environmentName } from "../../python/environment-name.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import type { Execution } from "../../session/execution/execution.ts";
import type { Session } from "../../session/session.ts";
import type { SharedSession } from "../../session/shared-session.ts";
import type { BashBlock } from "./blocks/bash-block.ts";
import type { KeptSession } from "./kept/kept-session.ts";
import type { Held } from "./leaving.ts";
import type { Suggestions } from "./prompt/completion-menu.ts";
import { RunRecords } from "./run-records.ts";
import type { SessionFiles } from "./save-session.ts";

/** Answers `input()`. */
export type AnswerInput = (prompt: string, password: boolean, signal: AbortSignal) => Promise<string>;

export interface WorkbenchOptions {
  readonly session: string;
  /** Timeout of every cell; Infinity for none. */
  readonly timeoutMs: number;
  /** Read when a cell runs: windows change their size. */
  terminal(): ReadersTerminal;
  readonly environmentName: typeof environmentName;
  /** Where the session outlives the console. */
  readonly kept?: KeptSession | undefined;
}

/** At most this many variables are counted. */
const mostCounted = 10_000;

/** The console's runtime, and one session in it. */
export class Workbench {
  readonly runtime: Runtime;
  readonly session: Session;
  readonly #options: WorkbenchOptions;
  /** The cells that were run, for `/save`. */
  readonly records = new RunRecords();
  /** The file of the last save; null before. */
  files: SessionFiles | null = null;
  readonly #beside: Session[] = [];
  /** The executions that the console knows, among those of all clients. */
  readonly #known = new Set<string>();
  readonly #own: Execution[] = [];
  #isRunningOwn = false;
  #ends: readonly (() => void)[] = [];
  #named: { readonly info: KernelInfo; readonly name: string } | null = null;

  constructor(runtime: Runtime, options: WorkbenchOptions) {
    this.runtime = runtime;
    this.#options = options;
    this.session = this.#open(options.session, options.kept?.joins);
  }

  /** Whether the session outlives the console, and others use it. */
  get isKept(): boolean {
    return this.#options.kept !== undefined;
  }

  /** The sessions of this console. */
  get sessions(): readonly SharedSession[] {
    const { sessions } = this.runtime;
    const own = [this.session, ...this.#beside].map(({ shared }) => shared);
    return this.isKept ? sessions.filter((session) => own.includes(session)) : sessions;
  }

  /** Called when the console ends. */
  onEnd(end: () => void): void {
    this.#ends = [...this.#ends, end];
  }

  onBackground(listener: (text: string, name: StreamName) => void): void {
    const { shared } = this.session;
    this.onEnd(this.#options.kept?.onBackground(shared, listener) ?? shared.onBackground(listener));
  }

  /** The cells of all clients so far, the oldest first. */
  async history(): Promise<readonly HistoryCell[]> {
    return (await this.#options.kept?.history(this.session.shared)) ?? [];
  }

  /** Reports cells of others from now on. @returns those that are running or waiting */
  followOthers(listener: (execution: Execution) => void): readonly Execution[] {
    const { kept } = this.#options;
    const { shared } = this.session;
    const isCode = ({ cell }: Execution): boolean => cell.code !== "";
    const stop = kept?.onExecution(shared, (execution) => {
      this.#known.add(execution.id);
      if (!this.#isRunningOwn && isCode(execution)) listener(execution);
    });
    if (stop !== undefined) this.onEnd(stop);
    const work = kept?.work(shared).filter((execution) => isCode(execution) && !this.#own.includes(execution)) ?? [];
    for (const { id } of work) this.#known.add(id);
    return work;
  }

  /** Ends the sessions; a kept one stays, with the cells that still run. */
  async close(): Promise<void> {
    for (const end of this.#ends) end();
    if (!this.isKept) return this.runtime.close();
    await this.session.leave();
    void this.#closeWhenOver();
  }

  async #closeWhenOver(): Promise<void> {
    await Promise.all(this.#own.map(({ result }) => result));
    await Promise.all(this.#beside.map((session) => session.leave()));
    await this.runtime.close();
  }

  /** Executions that run code, not those that start or end a kernel. */
  get executions(): readonly Execution[] {
    return this.#everyExecution.filter(({ cell }) => cell.code !== "");
  }

  get #everyExecution(): readonly Execution[] {
    const { executions } = this.runtime;
    return this.isKept ? executions.filter(({ id }) => this.#known.has(id)) : executions;
  }

  get language(): string {
    return this.session.shared.info?.language ?? "python";
  }

  /** The environment's name: a virtual environment, or a Python version; empty before it is known. */
  get environment(): string {
    const { info } = this.session.shared;
    // A kernel that has ended is replaced by one of the same environment.
    if (info === null || this.#named?.info === info) return this.#named?.name ?? "";
    this.#named = { info, name: this.#nameOf(info) };
    return this.#named.name;
  }

  /** For a remote or attached Python, `executable` is not a file of its environment. */
  #nameOf({ language, version, executable }: KernelInfo): string {
    if (language !== "python") return language;
    return this.#options.environmentName(this.runtime.site === "here" ? executable : null, version);
  }

  /** How many variables would be lost by leaving; 0 when no confirmation is needed. */
  async held(): Promise<Held> {
    const { info } = this.session.shared;
    const goesOn = this.isKept || this.runtime.site === "attached";
    if (info === null || goesOn || !this.runtime.settings.console.confirmExit) return 0;
    const hasRun = this.records.all.length > 0 || info.resumed === true;
    if (!hasRun) return 0;
    if (!this.session.shared.tellsVariables) return "unknown";
    const { variables, total } = await this.session.variables({ maxVariables: mostCounted, maxValueCharacters: 1 });
    // Imports are quick to repeat.
    return total - variables.filter(({ kind }) => kind === "module").length;
  }

  /** Whether the user's code has given the name a value; false where the kernel cannot tell. */
  async isVariable(name: string): Promise<boolean> {
    const { info, isBusy, tellsVariables } = this.session.shared;
    if (info === null || isBusy || !tellsVariables) return false;
    const { variables } = await this.session
      .variables({ maxVariables: mostCounted, maxValueCharacters: 1 })
      .catch(() => ({ variables: [] }));
    return variables.some((variable) => variable.name === name);
  }

  /** Starts a kernel before the first cell. */
  prepare(): Execution {
    return this.session.start();
  }

  run(code: string, answer: AnswerInput): Execution {
    // The console has shown what others ran.
    if (this.isKept) this.session.markSeen();
    return this.#started(() =>
      this.session.run(code, {
        timeoutMs: this.#options.timeoutMs,
        answer,
        terminal: this.#options.terminal(),
        onEvent: this.records.begin(code),
      }),
    );
  }

  /** In a session with its own variables, so that this one stays free. */
  runBeside(code: string): Execution {
    const beside = this.#open(this.#freeName());
    this.#beside.push(beside);
    return this.#started(() => beside.run(code, { background: true, terminal: this.#options.terminal() }));
  }

  #open(id: string, joins?: SharedSession): Session {
    const { kept } = this.#options;
    const isTemporary = kept !== undefined && id !== this.#options.session;
    return this.runtime.session(id, { owner: kept?.owner ?? "console", label: "console", isTemporary, joins });
  }

  /** Others may have sessions beside theirs. */
  #freeName(): string {
    const taken = new Set(this.runtime.sessions.map(({ id }) => id));
    let number = this.#beside.length + 1;
    while (taken.has(`background-${number}`)) number += 1;
    return `background-${number}`;
  }

  #started(start: () => Execution): Execution {
    this.#isRunningOwn = true;
    try {
      const execution = start();
      this.#known.add(execution.id);
      if (this.isKept) this.#keepUntilOver(execution);
      return execution;
    } finally {
      this.#isRunningOwn = false;
    }
  }

  #keepUntilOver(execution: Execution): void {
    this.#own.push(execution);
    void execution.result.then(() => this.#own.splice(this.#own.indexOf(execution), 1));
  }

  async runBash(block: BashBlock, signal: AbortSignal): Promise<void> {
    const capture = this.runtime.createCapture(this.session.id);
    const endRecord = this.records.beginShell(block.command);
    block.begins(capture);
    try {
      const [{ runBash }, { bashContext, whyFailed }] = await Promise.all([
        import("../../shell/run-bash.ts"),
        import("../../runtime/shell/bash-context.ts"),
      ]);
      const context = await bashContext(await this.runtime.startContext(this.session.id), signal);
      const run = await runBash(block.command, { ...context, capture, signal });
      const captured = await capture.finish();
      block.ends(captured, run, await whyFailed(context, run, captured.output));
    } catch (error) {
      block.ends(await capture.finish(), signal.aborted ? "cancelled" : (error as Error));
    }
    endRecord(block.output);
  }

  /** Waits until Python is no longer busy; rejects if the signal aborts first. */
  async complete(text: string, cursor: number, signal: AbortSignal): Promise<Suggestions> {
    const busy = this.#everyExecution.filter(({ isOver, sessionId }) => !isOver && sessionId === this.session.id);
    await Promise.all(busy.map(({ result }) => result));
    signal.throwIfAborted();
    return this.session.complete(text, cursor, signal);
  }

  async describe(text: string, cursor: number, signal: AbortSignal): Promise<string | null> {
    const described = (await this.session.inspect(text, cursor, signal))["text/plain"];
    return typeof described === "string" && described !== "" ? described : null;
  }
}
