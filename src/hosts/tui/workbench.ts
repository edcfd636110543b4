import type { KernelInfo, ReadersTerminal } from "../../kernel/kernel.ts";
import type { environmentName } from "../../python/environment-name.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import type { Execution } from "../../session/execution/execution.ts";
import type { Session } from "../../session/session.ts";
import type { BashBlock } from "./blocks/bash-block.ts";
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
  #backgroundSessions = 0;
  #named: { readonly info: KernelInfo; readonly name: string } | null = null;

  constructor(runtime: Runtime, options: WorkbenchOptions) {
    this.runtime = runtime;
    this.#options = options;
    this.session = runtime.session(options.session, { owner: "console" });
  }

  /** Executions that run code, not those that start or end a kernel. */
  get executions(): readonly Execution[] {
    return this.runtime.executions.filter(({ cell }) => cell.code !== "");
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
    const goesOn = this.runtime.site === "attached";
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
    return this.session.run(code, {
      timeoutMs: this.#options.timeoutMs,
      answer,
      terminal: this.#options.terminal(),
      onEvent: this.records.begin(code),
    });
  }

  /** In a session with its own variables, so that this one stays free. */
  runBeside(code: string): Execution {
    this.#backgroundSessions += 1;
    const beside = this.runtime.session(`background-${this.#backgroundSessions}`, { owner: "console" });
    return beside.run(code, { background: true, terminal: this.#options.terminal() });
  }

  async runBash(block: BashBlock, signal: AbortSignal): Promise<void> {
    const capture = this.runtime.createCapture(this.session.id);
    block.begins(capture);
    try {
      const [{ runBash }, { bashContext, missingAliases }] = await Promise.all([
        import("../../shell/run-bash.ts"),
        import("../../runtime/shell/bash-context.ts"),
      ]);
      const context = await bashContext(await this.runtime.startContext(this.session.id), signal);
      const run = await runBash(block.command, { ...context, capture, signal });
      block.ends(await capture.finish(), run, missingAliases(context, run.exitCode));
    } catch (error) {
      block.ends(await capture.finish(), signal.aborted ? "cancelled" : (error as Error));
    }
    const outputs = block.output === "" ? [] : [{ output_type: "stream", name: "stdout", text: block.output } as const];
    this.records.add({ code: `!${block.command}`, executionCount: null, outputs });
  }

  /** Waits until Python is no longer busy; rejects if the signal aborts first. */
  async complete(text: string, cursor: number, signal: AbortSignal): Promise<Suggestions> {
    const busy = this.runtime.executions.filter(({ isOver, sessionId }) => !isOver && sessionId === this.session.id);
    await Promise.all(busy.map(({ result }) => result));
    signal.throwIfAborted();
    return this.session.complete(text, cursor, signal);
  }

  async describe(text: string, cursor: number, signal: AbortSignal): Promise<string | null> {
    const described = (await this.session.inspect(text, cursor, signal))["text/plain"];
    return typeof described === "string" && described !== "" ? described : null;
  }
}
