import type { KernelEvent } from "../../../kernel/events.ts";
import type { JupyterHeader } from "../../../kernel/jupyter/messages/message.ts";
import type { ExecutionResult } from "../../../session/execution/execution.ts";
import type { JsonObject } from "../../../support/json/value.ts";
import { aborted, type CellRequest } from "./cell-request.ts";
import { type Exception, exceptionOf, type Published, toPublished } from "./published.ts";

/** A cell of the session as the clients of the door see it: its events become messages. */
export class FollowedCell {
  /** The parent of all its messages. */
  readonly header: JupyterHeader;
  /** Null for a cell of an agent, a console, or another client of the session. */
  readonly request: CellRequest | null;
  readonly #code: string;
  readonly #pages: JsonObject[] = [];
  #count = 0;
  #begun = false;
  #failure: Exception | null = null;
  #expressions: JsonObject = {};

  constructor(header: JupyterHeader, code: string, request: CellRequest | null) {
    this.header = header;
    this.#code = code;
    this.request = request;
  }

  get hasBegun(): boolean {
    return this.#begun;
  }

  /** Whether it is no cell: a message of a comm, or a question of the page's. */
  get isMessage(): boolean {
    return this.request === null && this.#code === "";
  }

  /** @param nextCount the number that the cell has, or would have */
  begin(nextCount: number): readonly Published[] {
    if (this.#begun) return [];
    this.#begun = true;
    this.#count = nextCount;
    const busy = { type: "status", content: { execution_state: "busy" } };
    if (this.isMessage || this.request?.terms.silent) return [busy];
    return [busy, { type: "execute_input", content: { code: this.#code, execution_count: nextCount } }];
  }

  /** It is over without having run: its client still expects a beginning before the end. */
  beginUnrun(): readonly Published[] {
    return this.#begun ? [] : [{ type: "status", content: { execution_state: "busy" } }];
  }

  take(event: KernelEvent): Published | null {
    if (event.type === "error") this.#failure = exceptionOf(event);
    if (event.type === "done") {
      if (event.outcome === "ok") this.#failure = null;
      this.#count = event.executionCount ?? this.#count;
      this.#expressions = event.expressions ?? {};
    }
    if (event.type === "display" && event.page) {
      this.#pages.push({ source: "page", data: event.data, start: 0 });
    }
    const isNumbered = event.type === "result" && !this.request?.terms.unnumbered;
    return toPublished(event, isNumbered ? event.executionCount : this.#count);
  }

  /** The error to show when Granary, and not Python, is the reason for the end. */
  lastWords({ failure }: ExecutionResult): Published | null {
    if (failure === null) return null;
    const { code, message } = failure;
    const ename = code === "kernel-died" ? "KernelDied" : "GranaryError";
    this.#failure = { ename, evalue: message, traceback: [`${ename}: ${message}`] };
    return { type: "error", content: this.#failure };
  }

  reply({ status, attempts }: ExecutionResult): JsonObject {
    if (attempts === 0 && (status === "cancelled" || status === "skipped")) return aborted;
    const told = { execution_count: this.#count, user_expressions: this.#expressions, payload: this.#pages };
    if (this.#failure !== null) return { status: "error", ...this.#failure, ...told };
    if (status === "cancelled") return { status: "error", ...interrupted, ...told };
    return { status: "ok", ...told };
  }
}

const interrupted: Exception = { ename: "KeyboardInterrupt", evalue: "", traceback: ["KeyboardInterrupt"] };
