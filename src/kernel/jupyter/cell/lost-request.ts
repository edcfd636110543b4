import type { JsonObject } from "../../../support/json/value.ts";
import { Composer } from "../messages/compose.ts";
import type { ChannelName, JupyterMessage } from "../messages/message.ts";

interface Ends {
  /** Towards the kernel. */
  readonly transmit: (message: JupyterMessage) => void;
  /** Towards the kernel's listener. */
  readonly deliver: (message: JupyterMessage) => void;
  readonly whatIsKnownOf: (request: JupyterMessage) => Known;
}

/** State of a request: no sign of it yet, a sign, or its end, so that no question is needed. */
export type Known = "nothing" | "that it began" | "how it ended";

/** Output of a cell may come a moment later than an answer on another channel. */
const publishedWithinMs = 250;

/**
 * Finds out the fate of a cell's request after a broken connection. A request that may have run is never sent
 * again: the kernel counts its cells, and is asked for the count.
 */
export class LostRequest {
  readonly #ends: Ends;
  readonly #composer: Composer;
  #cellsBefore: number | null = 0;
  #kernelSession = "";
  #question: { readonly id: string; readonly about: JupyterMessage } | null = null;

  constructor(session: string, ends: Ends) {
    this.#composer = new Composer(session);
    this.#ends = ends;
  }

  /** The kernel answers in turn: after this answer, the other request was answered or never arrived. */
  askAbout(request: JupyterMessage): void {
    const nothing = { code: "", silent: true, store_history: false, allow_stdin: false, stop_on_error: false };
    const question = this.#composer.compose("shell", "execute_request", nothing);
    this.#question = { id: question.header.msg_id, about: request };
    this.#ends.transmit(question);
  }

  /** Takes every message; returns true for an answer to the question, which has no other reader. */
  takes({ header, parentHeader, content }: JupyterMessage): boolean {
    if (header.session !== this.#composer.session) this.#kernelSession = header.session;
    const question = this.#question;
    const isAnswer = question !== null && parentHeader.msg_id === question.id;
    if (header.msg_type === "execute_reply") {
      const count = typeof content.execution_count === "number" ? content.execution_count : null;
      if (isAnswer) this.#decideSoon(question.about, count);
      else this.#cellsBefore = count;
    }
    return isAnswer;
  }

  #decideSoon(request: JupyterMessage, count: number | null): void {
    const decide = (): void => {
      const known = this.#ends.whatIsKnownOf(request);
      if (known === "how it ended") return;
      const isCounted = request.content.store_history !== false;
      const wasNotCounted = isCounted ? count !== null && count === this.#cellsBefore : true;
      if (known === "nothing" && wasNotCounted) this.#ends.transmit(request);
      else this.#tellLoss(request);
    };
    setTimeout(decide, publishedWithinMs).unref();
  }

  /** In the kernel's name, since the listener waits for its messages. */
  #tellLoss(request: JupyterMessage): void {
    const evalue = "The connection to the kernel broke while the cell ran. Its output and its result are unknown.";
    const error = { ename: "ConnectionLost", evalue, traceback: [`ConnectionLost: ${evalue}`] };
    const forge = (channel: ChannelName, type: string, content: JsonObject): void => {
      const message = this.#composer.compose(channel, type, content, request.header);
      this.#ends.deliver({ ...message, header: { ...message.header, session: this.#kernelSession } });
    };
    forge("iopub", "status", { execution_state: "busy" });
    forge("iopub", "error", error);
    forge("shell", "execute_reply", { status: "error", ...error });
    forge("iopub", "status", { execution_state: "idle" });
  }
}
