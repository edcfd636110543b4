import type { Known } from "../jupyter/cell/lost-request.ts";
import type { JupyterMessage } from "../jupyter/messages/message.ts";
import type { Arrivals } from "./websocket/arrivals.ts";

/** How long to wait for the second of reply and idle before it counts as lost; the kernel's own bound is longer. */
const secondHalfMs = 2000;

/**
 * Follows the running cell. After a lost connection it reports at the cell's end whether output is missing: `tell` is called
 * before the message is passed on that ends the cell.
 */
export class InterruptedCell {
  readonly #arrivals: Arrivals;
  readonly #tell: (reason: string) => void;
  #request: JupyterMessage | null = null;
  #answered = false;
  #interruptions = 0;
  /** The ids of the reply and of the idle status that end the cell. */
  #ends: string[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(arrivals: Arrivals, tell: (reason: string) => void) {
    this.#arrivals = arrivals;
    this.#tell = tell;
  }

  sent(message: JupyterMessage): void {
    if (message.header.msg_type !== "execute_request") return;
    clearTimeout(this.#timer);
    this.#request = message;
    this.#answered = false;
    this.#interruptions = 0;
    this.#ends = [];
    this.#arrivals.forgetAbsent();
  }

  /** The connection is lost. */
  interrupted(): void {
    if (this.#request) this.#interruptions++;
  }

  /** The request of a cell without a sign of its end: the request or the answer may be lost with the connection. */
  get openRequest(): JupyterMessage | null {
    return this.#ends.length === 0 ? this.#request : null;
  }

  whatIsKnownOf(request: JupyterMessage): Known {
    if (this.openRequest !== request) return "how it ended";
    return this.#answered ? "that it began" : "nothing";
  }

  /** Takes every message first. */
  received({ header, parentHeader, content }: JupyterMessage): void {
    if (this.#request === null || parentHeader.msg_id !== this.#request.header.msg_id) return;
    const state = header.msg_type === "status" ? content.execution_state : undefined;
    // The first message of a cell: messages missing before it belong to others.
    if (state === "busy") this.#arrivals.forgetAbsent();
    this.#answered = true;
    const isIdle = state === "idle";
    if (!isIdle && header.msg_type !== "execute_reply") return;
    this.#ends.push(header.msg_id);
    if (this.#ends.length === 2) this.#end();
    else if (this.#interruptions > 0) this.#timer = setTimeout(() => this.#end(), secondHalfMs).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#request = null;
    if (this.#interruptions === 0) return;
    const absent = this.#arrivals.countAbsentBefore(this.#ends);
    if (absent === 0 && this.#ends.length === 2) return;
    const what =
      absent === null
        ? "output from that moment may be missing"
        : `${Math.max(absent, 1)} of the kernel's messages are missing`;
    const times = this.#interruptions === 1 ? "" : ` ${this.#interruptions} times`;
    this.#tell(`the connection to the gateway was lost${times} while the cell ran, and ${what}`);
  }
}
