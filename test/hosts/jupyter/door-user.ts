import { randomUUID } from "node:crypto";
import { once } from "node:events";
import WebSocket from "ws";
import { legacyCodec, v1Codec, v1Protocol } from "../../../src/kernel/gateway/websocket/websocket-codec.ts";
import { Composer } from "../../../src/kernel/jupyter/messages/compose.ts";
import type { ChannelName, JupyterMessage } from "../../../src/kernel/jupyter/messages/message.ts";
import type { JsonObject } from "../../../src/support/json/value.ts";
import { type TracedMessage, whatIsWrongWith } from "../../kernel/jupyter/message-spec.ts";
import { until } from "../../kernel/until.ts";

export const usualTerms = {
  silent: false,
  store_history: true,
  user_expressions: {},
  allow_stdin: true,
  stop_on_error: true,
};

/** A client that keeps every message, and holds each one against Jupyter's specification. */
export class DoorUser {
  readonly messages: JupyterMessage[] = [];
  readonly problems: string[] = [];
  readonly composer: Composer;
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket, session: string) {
    this.#socket = socket;
    this.composer = new Composer(session);
    socket.on("message", (data: Buffer, isBinary: boolean) => {
      const message = this.#codec.decode(isBinary ? data : data.toString());
      this.#check("receive", message);
      this.messages.push(message);
    });
  }

  static async connect(
    door: { readonly port: number; readonly token: string },
    kernel: string,
    { session = randomUUID() as string, protocols = [v1Protocol] }: { session?: string; protocols?: string[] } = {},
  ): Promise<DoorUser> {
    const query = `session_id=${session}&token=${door.token}`;
    const socket = new WebSocket(`ws://127.0.0.1:${door.port}/api/kernels/${kernel}/channels?${query}`, protocols);
    const user = new DoorUser(socket, session);
    await once(socket, "open");
    return user;
  }

  /** Known from the moment of the connection. */
  get #codec(): typeof v1Codec {
    return this.protocol === v1Protocol ? v1Codec : legacyCodec;
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  send(
    channel: ChannelName,
    type: string,
    content: JsonObject,
    parent?: JupyterMessage,
    more: Partial<Pick<JupyterMessage, "buffers" | "metadata">> = {},
  ): string {
    const message = { ...this.composer.compose(channel, type, content, parent?.header), ...more };
    this.#check("send", message);
    this.#socket.send(this.#codec.encode(message));
    return message.header.msg_id;
  }

  execute(code: string, terms: Partial<typeof usualTerms> = {}): string {
    return this.send("shell", "execute_request", { code, ...usualTerms, ...terms });
  }

  /** The messages about a request, once it is over: its reply, and idle. */
  async about(id: string): Promise<readonly JupyterMessage[]> {
    await until(`request ${id} is over`, () => {
      const own = this.of(id);
      const isIdle = own.some(({ content }) => content.execution_state === "idle");
      return isIdle && own.some(({ channel }) => channel === "shell" || channel === "control");
    });
    return this.of(id);
  }

  async run(code: string, terms: Partial<typeof usualTerms> = {}): Promise<readonly JupyterMessage[]> {
    return this.about(this.execute(code, terms));
  }

  async ask(type: string, content: JsonObject, channel: ChannelName = "shell"): Promise<JsonObject> {
    const about = await this.about(this.send(channel, type, content));
    return about.find((message) => message.channel === channel)?.content as JsonObject;
  }

  of(id: string): readonly JupyterMessage[] {
    return this.messages.filter(({ parentHeader }) => parentHeader.msg_id === id);
  }

  async next(what: string, isIt: (message: JupyterMessage) => boolean): Promise<JupyterMessage> {
    await until(what, () => this.messages.some(isIt));
    return this.messages.find(isIt) as JupyterMessage;
  }

  async close(): Promise<void> {
    const closed = once(this.#socket, "close");
    this.#socket.close();
    await closed;
  }

  /** The connection is gone, without a goodbye. */
  async cut(): Promise<void> {
    const closed = once(this.#socket, "close");
    this.#socket.terminate();
    await closed;
  }

  #check(direction: "send" | "receive", { channel, header, parentHeader, content }: JupyterMessage): void {
    const parent = parentHeader.msg_id ?? null;
    const traced: TracedMessage = { direction, channel, type: header.msg_type, id: header.msg_id, parent, content };
    const problem = whatIsWrongWith(traced);
    if (problem !== null) this.problems.push(problem);
  }
}

/** The types of messages in order, with the state of a status. */
export function outline(messages: readonly JupyterMessage[]): readonly string[] {
  return messages.map(({ header, content }) =>
    header.msg_type === "status" ? String(content.execution_state) : header.msg_type,
  );
}
