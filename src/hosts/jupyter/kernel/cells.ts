import { randomUUID } from "node:crypto";
import type { KernelEvent, StreamName } from "../../../kernel/events.ts";
import { type CommMessage, wholeComm } from "../../../kernel/jupyter/messages/comms.ts";
import type { JupyterHeader } from "../../../kernel/jupyter/messages/message.ts";
import type { LateDisplay } from "../../../kernel/kernel.ts";
import { withLargeContents } from "../../../kernel/large-content.ts";
import type { Execution, ExecutionResult } from "../../../session/execution/execution.ts";
import type { SessionObserver } from "../../../session/observers.ts";
import type { Session } from "../../../session/session.ts";
import { type CellRequest, plainHeader } from "./cell-request.ts";
import { DisplayParents } from "./display-parents.ts";
import { FollowedCell } from "./followed-cell.ts";
import { type Published, toPublished } from "./published.ts";

/** In bytes: larger forms of a display are left out. Browsers show none of that size. */
const largestForm = 64_000_000;

export interface CellHost {
  readonly session: Session;
  /** The number of the kernel's last cell. */
  readonly executionCount: number;
  publish(message: Published, parent: Partial<JupyterHeader>): void;
  reply(request: CellRequest, content: ReturnType<FollowedCell["reply"]>): void;
  ask(request: CellRequest, prompt: string, password: boolean, signal: AbortSignal): Promise<string>;
  /** The kernel did not survive a cell; the next one gets another kernel. */
  kernelLost(): void;
}

/** The cells of a session, run for clients of the door and for others: everybody sees them. */
export class Cells implements SessionObserver {
  readonly #host: CellHost;
  readonly #cells = new Map<Execution, FollowedCell>();
  readonly #displays = new DisplayParents();
  #last: Partial<JupyterHeader> = {};

  constructor(host: CellHost) {
    this.#host = host;
  }

  /** The cell that runs now. */
  get running(): FollowedCell | null {
    for (const [execution, cell] of this.#cells) if (cell.hasBegun && !execution.isOver) return cell;
    return null;
  }

  /** Settles when all cells of a client that it has asked for so far are over. */
  async allOf(client: CellRequest["client"]): Promise<void> {
    await Promise.all(this.#of(client).map((execution) => execution.result));
  }

  execute(request: CellRequest): void {
    const execution = this.#host.session.run(request.code, {
      terms: request.terms,
      forms: "all",
      answer: (prompt, password, signal) => this.#host.ask(request, prompt, password, signal),
    });
    this.#follow(execution, new FollowedCell(request.header, request.code, request));
  }

  /** Python takes the message when its turn comes, between two cells. The output of widgets has it as its parent. */
  deliver(header: JupyterHeader, comm: CommMessage): void {
    const terms = { silent: true, unnumbered: true, withoutInput: true, parent: plainHeader(header), comm };
    const execution = this.#host.session.run("", { terms, forms: "all", uncaptured: true });
    this.#follow(execution, new FollowedCell(header, "", null));
  }

  /** Takes the cells of a client that have not begun out of the queue. */
  abortWaiting(client: CellRequest["client"]): void {
    for (const execution of this.#of(client)) {
      if (!this.#cells.get(execution)?.hasBegun) void execution.interrupt();
    }
  }

  onEvent(execution: Execution, event: KernelEvent): Promise<void> | undefined {
    const cell = this.#cells.get(execution) ?? this.#foreign(execution);
    if (event.type === "started") {
      // Output of threads stays with the cell that started them.
      if (!cell.isMessage) this.#last = cell.header;
      this.#publish(cell.begin(this.#host.executionCount + 1), cell);
    }
    if (event.type === "done" && event.outcome !== "ok" && cell.request?.stopsOnError) {
      this.abortWaiting(cell.request.client);
    }
    if (event.type === "comm" && event.large !== undefined) {
      return wholeComm(event).then((message) => this.#show(cell, message && { type: "comm", message }));
    }
    const isLarge = (event.type === "display" || event.type === "result") && event.large !== undefined;
    if (isLarge) return withLargeContents(event, () => largestForm).then((whole) => this.#show(cell, whole));
    this.#show(cell, event);
    return cell.request?.client.relief;
  }

  onBackground(text: string, name: StreamName): void {
    this.#host.publish({ type: "stream", content: { name, text } }, this.#last);
  }

  onLateDisplay(event: LateDisplay): void {
    const message = toPublished(event, 0);
    if (message !== null) this.#host.publish(message, this.#displays.parentOf(event.displayId) ?? this.#last);
  }

  onLateComm(message: CommMessage): void {
    this.#host.publish(message, this.#last);
  }

  #of(client: CellRequest["client"]): readonly Execution[] {
    return [...this.#cells].filter(([, { request }]) => request?.client === client).map(([execution]) => execution);
  }

  #foreign(execution: Execution): FollowedCell {
    const cell = new FollowedCell(headerOfOthers(execution), execution.cell.code, null);
    this.#follow(execution, cell);
    return cell;
  }

  #follow(execution: Execution, cell: FollowedCell): void {
    this.#cells.set(execution, cell);
    void execution.result.then((result) => this.#over(execution, cell, result));
  }

  #show(cell: FollowedCell, event: KernelEvent | null): void {
    if (event === null) return;
    const message = cell.take(event);
    if (event.type === "display" && !event.update) this.#displays.add(event.displayId, cell.header);
    if (message !== null) this.#host.publish(message, cell.header);
  }

  #over(execution: Execution, cell: FollowedCell, result: ExecutionResult): void {
    this.#cells.delete(execution);
    this.#publish(result.attempts === 0 ? cell.beginUnrun() : [], cell);
    const lastWords = cell.lastWords(result);
    this.#publish(lastWords === null ? [] : [lastWords], cell);
    if (cell.request !== null) {
      if (result.failure !== null && cell.request.stopsOnError) this.abortWaiting(cell.request.client);
      this.#host.reply(cell.request, cell.reply(result));
    }
    this.#publish([{ type: "status", content: { execution_state: "idle" } }], cell);
    if (result.failure?.code === "kernel-died") this.#host.kernelLost();
  }

  #publish(messages: readonly Published[], { header }: FollowedCell): void {
    for (const message of messages) this.#host.publish(message, header);
  }
}

/** A cell of another client of the session: an agent, a console. No Jupyter client waits for its reply. */
function headerOfOthers({ id, by }: Execution): JupyterHeader {
  return {
    msg_id: randomUUID(),
    session: `granary-${id}`,
    username: by ?? "granary",
    date: new Date().toISOString(),
    msg_type: "execute_request",
    version: "5.4",
  };
}
