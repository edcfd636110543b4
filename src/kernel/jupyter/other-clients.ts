import { deferred } from "../../support/deferred.ts";
import type { JupyterMessage } from "./messages/message.ts";

/** A client that has queued several cells leaves no longer a gap than this between two of them. */
const quietAfterMs = 50;

/** Follows the cells that other clients run in the same kernel: a cell of ours waits for its turn. */
export class OtherClients {
  readonly #onChange: (isRunning: boolean) => void;
  #running: string | null = null;
  #quiet = deferred<void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(onChange: (isRunning: boolean) => void) {
    this.#onChange = onChange;
    this.#quiet.resolve();
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Settles when the cells of others have ended. */
  get quiet(): Promise<void> {
    return this.#quiet.promise;
  }

  /** Takes a message that the kernel publishes about a request of another client. */
  published({ header, parentHeader, content }: JupyterMessage): void {
    if (header.msg_type !== "status" || parentHeader.msg_type !== "execute_request") return;
    const id = parentHeader.msg_id ?? "";
    if (content.execution_state === "busy") this.#begins(id);
    else if (content.execution_state === "idle" && id === this.#running) this.#ends();
  }

  /** Messages may have been lost, the end of a cell among them. */
  mayHaveMissedSomething(): void {
    if (this.isRunning) this.#ends();
  }

  #begins(id: string): void {
    clearTimeout(this.#timer);
    if (this.#running === null) this.#quiet = deferred();
    this.#running = id;
    this.#onChange(true);
  }

  #ends(): void {
    this.#timer = setTimeout(() => {
      this.#running = null;
      this.#quiet.resolve();
      this.#onChange(false);
    }, quietAfterMs).unref();
  }
}
