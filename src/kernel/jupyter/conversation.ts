import { deferred } from "../../support/deferred.ts";
import type { JsonObject } from "../../support/json/value.ts";
import { endsWithin } from "../../support/process/process-group.ts";
import { Replies } from "../replies.ts";
import type { JupyterChannel } from "./messages/channel.ts";
import type { Composer } from "./messages/compose.ts";
import type { ChannelName, JupyterMessage } from "./messages/message.ts";
import { countOf } from "./messages/to-event.ts";

const publishedInTimeMs = 250;

/** Sends messages to a kernel, and waits for their answers. */
export class Conversation {
  readonly #channel: JupyterChannel;
  readonly #composer: Composer;
  readonly #replies = new Replies<string, JsonObject>();
  readonly #barriers = new Map<string, () => void>();

  constructor(channel: JupyterChannel, composer: Composer) {
    this.#channel = channel;
    this.#composer = composer;
  }

  /** Sends a message and returns its id. */
  send(channel: ChannelName, type: string, content: JsonObject, parent?: JupyterMessage): string {
    const message = this.#composer.compose(channel, type, content, parent?.header);
    this.#channel.send(message);
    return message.header.msg_id;
  }

  /**
   * Has the kernel check for an interrupt (`house-rules.ts`); a second or later attempt interrupts it again. Returns the
   * attempt up to which it has reacted; 0 from a kernel without house rules, to which the message means nothing.
   */
  async wake(attempt: number): Promise<number> {
    const { reactions } = await this.ask("control", "kernel_info_request", { wake: attempt });
    return countOf(reactions) ?? 0;
  }

  /** Sends a request and waits for its reply. */
  ask(channel: ChannelName, type: string, content: JsonObject, signal?: AbortSignal): Promise<JsonObject> {
    const request = this.#composer.compose(channel, type, content);
    return this.#replies.to(request.header.msg_id, () => this.#channel.send(request), signal);
  }

  /** Settles when everything published so far is here: the kernel publishes in order, and its answer comes last. */
  async allPublished(): Promise<void> {
    const passed = deferred<void>();
    const id = this.send("control", "kernel_info_request", {});
    this.#barriers.set(id, passed.resolve);
    await endsWithin(passed.promise, publishedInTimeMs);
    this.#barriers.delete(id);
  }

  /** Whether a message answers a request made here; no other reader needs it then. */
  take({ channel, parentHeader, content }: JupyterMessage): boolean {
    const parent = parentHeader.msg_id ?? "";
    if (channel !== "iopub") return this.#replies.take(parent, content);
    const passed = this.#barriers.get(parent);
    if (content.execution_state === "idle") passed?.();
    return passed !== undefined;
  }

  isOurs({ parentHeader }: JupyterMessage): boolean {
    return parentHeader.session === this.#composer.session;
  }

  /** No more answers will come. */
  fail(error: unknown): void {
    this.#replies.fail(() => error);
  }
}
