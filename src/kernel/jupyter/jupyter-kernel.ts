import { deadlineAfter } from "../../support/deadline.ts";
import { deferred } from "../../support/deferred.ts";
import { endsWithin } from "../../support/process/process-group.ts";
import { KernelError } from "../errors.ts";
import type { KernelEvent, MimeBundle, StreamName } from "../events.ts";
import type { Resistance } from "../insist.ts";
import type {
  Completeness,
  Completion,
  ExecuteOptions,
  ExitReport,
  Kernel,
  KernelInfo,
  ReadersTerminal,
} from "../kernel.ts";
import { OneCellKernel } from "../one-cell-kernel.ts";
import { toCodePoints } from "../positions.ts";
import { type Trouble, whyEnded } from "../trouble.ts";
import { deliverInterrupt, interruptCell } from "./cell/interruption.ts";
import { JupyterCell } from "./cell/jupyter-cell.ts";
import { preparation } from "./cell/preparation.ts";
import { noAnswer } from "./cell/questions.ts";
import { restartNews, shutdownNews } from "./cell/restart-news.ts";
import { Conversation } from "./conversation.ts";
import { type JupyterEnd, jupyterExitReport } from "./exit-report.ts";
import type { HandedFiles } from "./handed-files.ts";
import type { KernelProcess, ProcessExit } from "./kernel-process.ts";
import type { JupyterChannel } from "./messages/channel.ts";
import type { Composer } from "./messages/compose.ts";
import { withoutControlSequences } from "./messages/control-sequences.ts";
import type { JupyterMessage } from "./messages/message.ts";
import { toCompleteness, toCompletion } from "./messages/to-completion.ts";
import { objectOf, stringOf, toEvent } from "./messages/to-event.ts";
import { OtherClients } from "./other-clients.ts";

const stderrTailCharacters = 16 * 1024;
const tidyWithinMs = 5000;
const lookWithinMs = 1000;

export interface JupyterKernelParts {
  readonly id: string;
  readonly info: KernelInfo;
  readonly composer: Composer;
  readonly channel: JupyterChannel;
  readonly process: KernelProcess;
  /** The kernel's own session: a change means that the kernel was restarted. */
  readonly kernelSession: string;
  readonly graceMs: number;
  /** The files that the kernel hands over beside its messages; null where it hands over none. */
  readonly handed?: HandedFiles | null;
}

/** A Jupyter kernel behind the kernel contract, over any transport. */
export class JupyterKernel extends OneCellKernel<JupyterCell, JupyterEnd> implements Kernel {
  readonly id: string;
  readonly info: KernelInfo;
  readonly exited: Promise<ExitReport>;
  readonly #parts: JupyterKernelParts;
  readonly #conversation: Conversation;
  readonly #cells = new Map<string, JupyterCell>();
  readonly #lost = deferred<ProcessExit>();
  readonly #others = new OtherClients((isRunning) => this.cell?.turn(!isRunning));
  /** Abandoned requests: they cannot be taken back, so they are interrupted when they begin. */
  readonly #withdrawn = new Set<string>();
  #hasRunCells = false;
  #lastStderr = "";
  /** The last one sent to the kernel. */
  #terminal: ReadersTerminal | undefined;

  constructor(parts: JupyterKernelParts) {
    super();
    this.#parts = parts;
    this.#conversation = new Conversation(parts.channel, parts.composer);
    this.id = parts.id;
    this.info = parts.info;
    parts.channel.listen({
      onMessage: (message) => this.#take(message),
      onLost: (reason) => this.#lose(reason),
      onGap: (reason) => {
        this.#others.mayHaveMissedSomething();
        this.#printed("stderr", `[Granary: some output may be missing: ${reason}]\n`);
      },
    });
    parts.process.onOutput?.((name, text) => this.#printed(name, text));
    this.exited = this.#watchExit();
  }

  execute(code: string, options: ExecuteOptions = {}): AsyncIterable<KernelEvent> {
    this.requireIdle();
    const cell = this.#newCell(options);
    this.#hasRunCells ||= !options.internal;
    const events = this.begin(cell);
    if (this.#others.isRunning) void this.#sendInTurn(cell, code, options);
    else this.#sendPrepared(cell, code, options);
    this.interruptOn(options.signal, cell);
    return events;
  }

  override async interrupt(): Promise<void> {
    const { cell } = this;
    // An interrupt, or the end of the kernel, would hit the other client's cell.
    if (cell && this.#others.isRunning && !cell.hasBegun) return this.#withdraw(cell);
    await super.interrupt();
  }

  async ping(signal?: AbortSignal): Promise<void> {
    this.requireAlive();
    const { ping } = this.#parts.process;
    if (!ping) return void (await this.#conversation.ask("control", "kernel_info_request", {}, signal));
    try {
      await ping(signal);
    } catch (error) {
      signal?.throwIfAborted();
      const exit = await this.exited;
      throw new KernelError("kernel-died", exit.summary, { details: { exit }, cause: error });
    }
  }

  async findTrouble(signal?: AbortSignal): Promise<Trouble | null> {
    const { process } = this.#parts;
    // Only where there is nothing but the kernel's echo to ask: kernels of other languages may answer it in the main thread.
    const isSilentWhileBusy = process.attached && this.info.language !== "python";
    return isSilentWhileBusy ? null : process.findTrouble(signal);
  }

  async complete(code: string, cursor: number, signal?: AbortSignal): Promise<Completion> {
    this.requireIdle();
    const question = { code, cursor_pos: toCodePoints(code, cursor) };
    const reply = await this.#conversation.ask("shell", "complete_request", question, signal);
    return toCompletion(reply, code, question.cursor_pos);
  }

  async inspect(code: string, cursor: number, signal?: AbortSignal, detail: 0 | 1 = 0): Promise<MimeBundle> {
    this.requireIdle();
    const question = { code, cursor_pos: toCodePoints(code, cursor), detail_level: detail };
    const reply = await this.#conversation.ask("shell", "inspect_request", question, signal);
    return reply.found === true ? withoutColours(objectOf(reply.data)) : {};
  }

  async isComplete(code: string, signal?: AbortSignal): Promise<Completeness> {
    this.requireIdle();
    return toCompleteness(await this.#conversation.ask("shell", "is_complete_request", { code }, signal));
  }

  protected async closeNow(): Promise<void> {
    // Also for one that has died: a server may have restarted it, and is asked to end it.
    if (this.state === "dead") return void (await this.exited);
    this.endedBy = "close";
    const { process } = this.#parts;
    // A kernel reads the shutdown request only between cells.
    if (this.cell && !process.attached) await deliverInterrupt(process, this.#conversation);
    // A kernel that has run nothing is not worth keeping, and may not even be ready.
    const isUnused = !this.#hasRunCells && !this.info.resumed;
    if (process.outlivesUs && isUnused) await process.terminate();
    else await process.close(() => void this.#conversation.send("control", "shutdown_request", { restart: false }));
    await this.exited;
  }

  protected async kill(): Promise<void> {
    await this.#parts.process.terminate();
  }

  #newCell(options: ExecuteOptions): JupyterCell {
    const cell: JupyterCell = new JupyterCell(options, {
      isOnServer: this.#isOnServer,
      answer: (question, text) => this.#answer(question, text),
      interrupt: () => void this.interrupt(),
      onPressure: (full) => this.#parts.channel.hold(full),
      bytesRead: () => this.#parts.channel.bytesRead ?? 0,
      onEnd: () => this.#forget(cell),
    });
    return cell;
  }

  /** Waits for the cells of others: a sent request cannot be taken back. */
  async #sendInTurn(cell: JupyterCell, code: string, options: ExecuteOptions): Promise<void> {
    cell.turn(false);
    while (this.#others.isRunning && !cell.hasEnded) await Promise.race([this.#others.quiet, cell.over]);
    if (!cell.hasEnded) this.#sendPrepared(cell, code, options);
  }

  #sendPrepared(cell: JupyterCell, code: string, options: ExecuteOptions): void {
    const before = this.info.language === "python" ? preparation({ ...options, terminal: this.#news(options) }) : null;
    if (before === null) this.#send(cell, code, options);
    else void this.#sendAfter(before, cell, code, options);
  }

  /** The terminal, where it differs from the last one sent. */
  #news({ internal = false, terminal }: ExecuteOptions): ReadersTerminal | null | undefined {
    const isKnown = terminal?.columns === this.#terminal?.columns && terminal?.colors === this.#terminal?.colors;
    if (internal || isKnown) return undefined;
    this.#terminal = terminal;
    return terminal ?? null;
  }

  #send(cell: JupyterCell, code: string, { internal = false, terms = {} }: ExecuteOptions): void {
    const silent = internal || terms.silent === true;
    const request = {
      code,
      silent,
      store_history: !silent && !terms.unnumbered,
      user_expressions: { ...terms.expressions },
      allow_stdin: !terms.withoutInput,
      // The failure of an earlier cell must not drop a later one.
      stop_on_error: false,
    };
    this.#cells.set(this.#conversation.send("shell", "execute_request", request), cell);
    cell.sent();
  }

  async #sendAfter(before: string, cell: JupyterCell, code: string, options: ExecuteOptions): Promise<void> {
    const first = this.#newCell({ internal: true });
    this.#send(first, before, { internal: true });
    await first.over;
    if (cell.hasEnded) return;
    if (first.error) cell.failed(first.error);
    else this.#send(cell, code, options);
  }

  #withdraw(cell: JupyterCell): void {
    for (const [id, owner] of this.#cells) if (owner === cell) this.#withdrawn.add(id);
    cell.withdrawn();
  }

  #takeWithdrawn({ header, parentHeader }: JupyterMessage): void {
    const id = parentHeader.msg_id ?? "";
    if (!this.#withdrawn.has(id)) return;
    if (header.msg_type === "execute_input") void deliverInterrupt(this.#parts.process, this.#conversation);
    if (header.msg_type === "execute_reply") this.#withdrawn.delete(id);
  }

  #forget(cell: JupyterCell): void {
    for (const [id, owner] of this.#cells) if (owner === cell) this.#cells.delete(id);
    if (this.cell !== cell) return;
    this.endCell();
    this.#parts.channel.hold(false);
  }

  protected async interruptCell(cell: JupyterCell): Promise<void> {
    const { process, graceMs } = this.#parts;
    const resistance = await interruptCell(cell, process, this.#conversation, graceMs);
    if (resistance === null) return;
    const endedBy = await this.#whatResists(cell, resistance);
    if (cell.hasEnded) return;
    this.endedBy = endedBy;
    await process.terminate();
    await this.exited;
  }

  async #whatResists(cell: JupyterCell, resistance: Resistance): Promise<JupyterEnd> {
    using deadline = deadlineAfter(lookWithinMs);
    const trouble = await this.findTrouble(deadline.signal).catch(() => null);
    if (trouble !== null) return { trouble: whyEnded(trouble) };
    return cell.hasBegun ? resistance : "no beginning";
  }

  #take(message: JupyterMessage): void {
    const news = restartNews(message, this.#parts.kernelSession) ?? this.#shutdownByOthers(message);
    if (news !== null) return this.#lose(news);
    if (this.#conversation.take(message)) return;
    if (this.#withdrawn.size > 0) this.#takeWithdrawn(message);
    const cell = this.#cells.get(message.parentHeader.msg_id ?? "");
    if (message.channel === "iopub") this.#takePublished(this.#parts.handed?.in(message) ?? message, cell);
    else if (message.header.msg_type === "input_request") void this.#takeQuestion(message, cell);
    else if (message.header.msg_type === "execute_reply") cell?.replied(message.content);
  }

  /** On a server only: for other kernels, the system or their owner knows more. */
  #shutdownByOthers(message: JupyterMessage): string | null {
    const isOurDoing = this.isClosing || this.endedBy !== "itself";
    return this.#isOnServer && !isOurDoing ? shutdownNews(message) : null;
  }

  get #isOnServer(): boolean {
    const { pid, attached } = this.#parts.process;
    return pid === null && !attached;
  }

  #takePublished(message: JupyterMessage, cell: JupyterCell | undefined): void {
    if (!this.#conversation.isOurs(message)) this.#others.published(message);
    // Widgets cannot be drawn here, and the kernel should know.
    if (message.header.msg_type === "comm_open" && this.#conversation.isOurs(message)) {
      this.#conversation.send("shell", "comm_close", { comm_id: message.content.comm_id ?? "", data: {} });
    } else if (cell) {
      this.#noteStderr(message);
      cell.published(message);
    } else this.#takeLate(message);
  }

  /** From a thread that outlived its cell, or from another client's cell. */
  #takeLate(message: JupyterMessage): void {
    const event = toEvent(message);
    // The kernel names a file that is not what it says: then nothing is shown.
    if (event?.type === "display") return void this.displayedLate(event).catch(() => undefined);
    for (const file of Object.values(message.large ?? {})) file.release();
    if (event?.type === "stream") this.#printedLate(event.name, event.text);
    if (event?.type !== "result") return;
    const text = event.data["text/plain"];
    if (typeof text === "string") this.#printedLate("stdout", `${text}\n`);
  }

  async #takeQuestion(question: JupyterMessage, cell: JupyterCell | undefined): Promise<void> {
    // Output before the question comes on another socket, and should be shown first.
    if (cell) await this.#conversation.allPublished();
    if (cell && !cell.hasEnded) cell.asked(question);
    else this.#answer(question, noAnswer);
  }

  #answer(question: JupyterMessage, text: string): void {
    this.#conversation.send("stdin", "input_reply", { status: "ok", value: text }, question);
  }

  #printed(name: StreamName, text: string): void {
    if (!this.cell) return this.#printedLate(name, text);
    if (name === "stderr") this.#keepStderr(text);
    this.cell.tell({ type: "stream", name, text });
  }

  #printedLate(name: StreamName, text: string): void {
    if (name === "stderr") this.#keepStderr(text);
    this.background.push(name, text);
  }

  #noteStderr({ header, content }: JupyterMessage): void {
    if (header.msg_type === "stream" && content.name === "stderr") this.#keepStderr(stringOf(content.text));
  }

  #keepStderr(text: string): void {
    this.#lastStderr = (this.#lastStderr + text).slice(-stderrTailCharacters);
  }

  #lose(reason: string): void {
    this.#lost.resolve({ exitCode: null, signal: null, reason });
  }

  async #watchExit(): Promise<ExitReport> {
    const { process, channel, graceMs } = this.#parts;
    const exit = await Promise.race([process.exited, this.#lost.promise]);
    // After a lost connection, a live kernel may keep sending for ever.
    if (exit.reason === undefined) await channel.drain?.();
    const lastStderr = `${this.#lastStderr}${process.said ?? ""}`;
    const report = jupyterExitReport({ exit, endedBy: this.endedBy, graceMs, lastStderr });
    this.die();
    const whatIsLost = process.attached ? "" : " Its variables are gone.";
    for (const cell of new Set([...this.#cells.values(), ...(this.cell ? [this.cell] : [])])) {
      cell.died(report, whatIsLost);
    }
    this.#conversation.fail(new KernelError("kernel-died", report.summary, { details: { exit: report } }));
    await channel.close();
    this.#parts.handed?.close();
    // A server may have restarted it without need. Do not wait long: a host that ends now would leave it there.
    if (exit.reason !== undefined)
      await endsWithin(
        process.terminate().catch(() => undefined),
        tidyWithinMs,
      );
    return report;
  }
}

/** IPython colours its descriptions for a terminal. */
function withoutColours(bundle: MimeBundle): MimeBundle {
  const text = bundle["text/plain"];
  return typeof text === "string" ? { ...bundle, "text/plain": withoutControlSequences(text) } : bundle;
}
