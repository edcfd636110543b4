import { deferred } from "../../support/deferred.ts";
import type { JsonObject } from "../../support/json/value.ts";
import { endsWithin } from "../../support/process/process-group.ts";
import { Replies } from "../replies.ts";
import type { JupyterChannel } from "./messages/channel.ts";
import type { Composer } from "./messages/compose.ts";
import type { ChannelName, JupyterMessage } from "./messages/message.ts";
import { countOf } from "./messages/to-event.ts";

const publishedInTimeMs = 250;

/** What is said to a kernel, and which answers are waited for. */
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
   * Has the kernel look whether it was interrupted (`house-rules.ts`), and for a second or later attempt interrupts it. Tells
   * the attempt up to which it has reacted; 0 from a kernel that does not know of this, to which it means nothing.
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

  /** Settles when all that the kernel has published up to now is here: what it publishes about a question comes after it. */
  async allPublished(): Promise<void> {
    const passed = deferred<void>();
    const id = this.send("control", "kernel_info_request", {});
    this.#barriers.set(id, passed.resolve);
    await endsWithin(passed.promise, publishedInTimeMs);
    this.#barriers.delete(id);
  }

  /** Whether a message answers what was asked here; then nobody else need look at it. */
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

  /** Nobody will answer any more. */
  fail(error: unknown): void {
    this.#replies.fail(error);
  }
}
