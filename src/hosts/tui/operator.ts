import type { Execution } from "../../session/execution/execution.ts";
import { BackgroundBlock } from "./blocks/background-block.ts";
import { BashBlock } from "./blocks/bash-block.ts";
import type { TranscriptBlock } from "./blocks/block.ts";
import { CellBlock } from "./blocks/cell-block.ts";
import { CommandLineBlock } from "./blocks/command-line-block.ts";
import { NoteBlock } from "./blocks/note-block.ts";
import type { CommandConsole } from "./commands/command.ts";
import { nameToLeave } from "./leaving.ts";
import type { QuestionQueue } from "./questions.ts";
import type { Transcript } from "./transcript.ts";
import type { ConsoleWork, RunningWork } from "./work.ts";
import type { Workbench } from "./workbench.ts";

export interface OperatorOptions {
  readonly transcript: Transcript;
  readonly work: RunningWork;
  readonly questions: QuestionQueue;
  readonly onChange: () => void;
  /** Resolves a file name from the console's folder. */
  pathOf(name: string): string;
  openNotebook(path: string, workbench: Workbench): Promise<void>;
  /** Leaves the console; asks first where variables would be lost. */
  leave(): void;
}

/** Executes input and adds the results to the transcript. */
export class Operator {
  readonly workbench: Workbench;
  readonly #options: OperatorOptions;

  constructor(workbench: Workbench, options: OperatorOptions) {
    this.workbench = workbench;
    this.#options = options;
    const { session } = workbench;
    workbench.onEnd(session.watch(() => options.onChange()));
    workbench.onBackground((text, name) => {
      const block = this.#openBackgroundBlock();
      block.take(text, name);
      options.onChange();
    });
    if (workbench.isKept) void this.#join();
    void this.#prepare();
  }

  /** Python, `!command`, `/command` or `exit`. */
  perform(text: string): void {
    const leaves = nameToLeave(text);
    const isShell = text.startsWith("!") && !text.includes("\n");
    if (leaves !== null) void this.#leave(text, leaves);
    else if (text.startsWith("/")) void this.#command(text);
    else if (isShell) this.#runBash(text.slice(1).trim());
    else this.#runCell(text);
  }

  /** Reports early why Python cannot start, before the person has typed code. */
  async #prepare(): Promise<void> {
    const { isKept, session } = this.workbench;
    if (isKept && session.shared.info !== null) return;
    const { failure } = await this.workbench.prepare().result;
    if (failure !== null) this.#add(new NoteBlock(failure.message, { style: "error" }));
  }

  /** Shows what others did and do in this session. */
  async #join(): Promise<void> {
    const { joinSession } = await import("./kept/join-session.ts");
    await joinSession(
      this.workbench,
      (block) => this.#add(block),
      (execution) => this.#follow(execution, execution.by ?? "another client"),
    );
  }

  async #leave(text: string, name: string): Promise<void> {
    if (await this.workbench.isVariable(name)) return this.#runCell(text);
    this.#add(new CommandLineBlock(text.trim()));
    this.#options.leave();
  }

  #runCell(code: string): void {
    const { questions } = this.#options;
    let block: CellBlock | null = null;
    const execution = this.workbench.run(code, (prompt, isSecret, signal) =>
      questions.ask(prompt, isSecret, signal, (told) => block?.addAnswer(told)),
    );
    block = this.#follow(execution);
  }

  #follow(execution: Execution, by: string | null = null): CellBlock {
    const block = new CellBlock(execution, this.workbench.language, this.#options.onChange, by);
    this.#add(block);
    if (!execution.isOver) this.#watch(block, execution);
    return block;
  }

  #runBeside(code: string): void {
    const execution = this.workbench.runBeside(code);
    const { id } = execution;
    this.#note(`${id} runs in the background: /attach ${id}`);
    const interrupt = (): void => void execution.interrupt();
    this.#watch({ executionId: id, isInBackground: true, startedAt: Date.now(), interrupt }, execution);
  }

  #watch(running: ConsoleWork, { id, result }: Execution): void {
    const { work } = this.#options;
    void result.then(({ status }) => {
      if (running.isInBackground && !work.isSeen(id)) this.#note(`${id} is over: ${status}. /attach ${id} shows it.`);
    });
    work.add(running, result);
  }

  #runBash(command: string): void {
    const { work, onChange } = this.#options;
    const stop = new AbortController();
    const block = new BashBlock(command, () => stop.abort(), onChange);
    this.#add(block);
    work.add(block, this.workbench.runBash(block, stop.signal));
  }

  async #command(text: string): Promise<void> {
    this.#add(new CommandLineBlock(text));
    const { runCommand } = await import("./commands/commands.ts");
    try {
      await runCommand(text, this.#console());
    } catch (error) {
      this.#add(new NoteBlock(String((error as Error).message ?? error), { style: "error" }));
    }
  }

  #console(): CommandConsole {
    const { workbench } = this;
    const { pathOf, openNotebook, onChange } = this.#options;
    const foreground = (): CellBlock | null => this.#foreground();
    return {
      workbench,
      pathOf,
      get foreground() {
        return foreground();
      },
      add: (block) => this.#add(block),
      follow: (id) => {
        const execution = workbench.runtime.execution(id);
        if (execution !== undefined) this.#follow(execution);
      },
      toBackground: () => {
        foreground()?.sendToBackground();
        onChange();
      },
      runBeside: (code) => this.#runBeside(code),
      leave: () => this.#options.leave(),
      openNotebook: (path) => openNotebook(path, workbench),
    };
  }

  /** The last visible cell that still runs. */
  #foreground(): CellBlock | null {
    const isAtWork = (block: TranscriptBlock): block is CellBlock =>
      block instanceof CellBlock && !block.execution.isOver && !block.isInBackground;
    return this.#options.transcript.all.findLast(isAtWork) ?? null;
  }

  #openBackgroundBlock(): BackgroundBlock {
    const last = this.#options.transcript.all.at(-1);
    if (last instanceof BackgroundBlock && last.isOpen) return last;
    const block = new BackgroundBlock(this.workbench.runtime.createCapture(this.workbench.session.id));
    this.#add(block);
    return block;
  }

  #note(sentence: string): void {
    this.#add(new NoteBlock(sentence, { style: "muted" }));
  }

  #add(block: TranscriptBlock): void {
    this.#options.transcript.add(block);
    this.#options.onChange();
  }
}
