import { randomUUID } from "node:crypto";
import type { KernelProcess, ProcessExit } from "../../../src/kernel/jupyter/kernel-process.ts";
import type { ChannelListener, JupyterChannel } from "../../../src/kernel/jupyter/messages/channel.ts";
import { Composer } from "../../../src/kernel/jupyter/messages/compose.ts";
import type { ChannelName, JupyterMessage } from "../../../src/kernel/jupyter/messages/message.ts";
import { openJupyterKernel } from "../../../src/kernel/jupyter/open-kernel.ts";
import type { Kernel } from "../../../src/kernel/kernel.ts";
import { deferred } from "../../../src/support/deferred.ts";
import type { JsonObject } from "../../../src/support/json/value.ts";
import { until } from "../until.ts";

/** A kernel whose side of the conversation is written in the test, message by message. */
export class ScriptedKernel implements JupyterChannel {
  readonly sent: JupyterMessage[] = [];
  readonly held: boolean[] = [];
  readonly interrupts: string[] = [];
  readonly exit = deferred<ProcessExit>();
  readonly process: KernelProcess;
  #listener: ChannelListener | undefined;
  #own = new Composer("the kernel's session");
  isClosed = false;

  constructor(process: Partial<KernelProcess> = {}) {
    this.process = {
      pid: null,
      exited: this.exit.promise,
      interrupt: async () => void this.interrupts.push("signal"),
      attached: false,
      findTrouble: async () => null,
      terminate: async () => this.exit.resolve({ exitCode: null, signal: "SIGTERM" }),
      close: async () => this.exit.resolve({ exitCode: 0, signal: null }),
      ...process,
    };
  }

  /** The kernel's client after a start. The language is not Python, so the client sends nothing by itself. */
  async open(interruptGraceMs = 5000): Promise<Kernel> {
    const parts = {
      backend: "zmq",
      id: "scripted",
      session: randomUUID(),
      executable: "",
      process: this.process,
    } as const;
    const opening = openJupyterKernel({ ...parts, channel: this }, { interruptGraceMs });
    const request = await this.request("kernel_info_request");
    this.publish(request, "status", { execution_state: "idle" });
    this.say("shell", request, "kernel_info_reply", { language_info: { name: "script", version: "1.0" } });
    return opening;
  }

  send(message: JupyterMessage): void {
    this.sent.push(message);
  }

  listen(listener: ChannelListener): void {
    this.#listener = listener;
  }

  hold(held: boolean): void {
    this.held.push(held);
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  /** The next unread request of that type. */
  async request(type: string): Promise<JupyterMessage> {
    const find = (): number => this.sent.findIndex(({ header }) => header.msg_type === type);
    await until(`${type} is sent`, () => find() >= 0);
    return this.sent.splice(find(), 1)[0] as JupyterMessage;
  }

  publish(parent: JupyterMessage | undefined, type: string, content: JsonObject): void {
    this.say("iopub", parent, type, content);
  }

  say(
    channel: ChannelName,
    parent: JupyterMessage | undefined,
    type: string,
    content: JsonObject,
    session?: string,
  ): void {
    const author = session === undefined ? this.#own : new Composer(session);
    this.#listener?.onMessage(author.compose(channel, type, content, parent?.header));
  }

  lose(reason: string): void {
    this.#listener?.onLost(reason);
  }

  gap(reason: string): void {
    this.#listener?.onGap(reason);
  }

  /** Takes the next cell, says that it runs, and returns it. */
  async begin(): Promise<JupyterMessage> {
    const cell = await this.request("execute_request");
    this.publish(cell, "status", { execution_state: "busy" });
    this.publish(cell, "execute_input", { code: cell.content.code ?? "", execution_count: 1 });
    return cell;
  }

  reply(cell: JupyterMessage, content: JsonObject = { status: "ok", execution_count: 1 }): void {
    this.say("shell", cell, "execute_reply", content);
  }

  idle(cell: JupyterMessage): void {
    this.publish(cell, "status", { execution_state: "idle" });
  }
}
