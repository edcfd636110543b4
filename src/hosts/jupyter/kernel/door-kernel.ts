import { randomUUID } from "node:crypto";
import { Composer } from "../../../kernel/jupyter/messages/compose.ts";
import type { ChannelName, JupyterHeader, JupyterMessage } from "../../../kernel/jupyter/messages/message.ts";
import { stringOf } from "../../../kernel/jupyter/messages/to-event.ts";
import type { KernelInfo } from "../../../kernel/kernel.ts";
import type { LocalSession } from "../../../session/local-session.ts";
import type { Session } from "../../../session/session.ts";
import type { JsonObject } from "../../../support/json/value.ts";
import type { DoorClient, DoorSocket } from "../client/door-client.ts";
import type { DoorSessions } from "../door-sessions.ts";
import { Audience } from "./audience.ts";
import { type CellRequest, toCellRequest } from "./cell-request.ts";
import { Cells } from "./cells.ts";
import { toCommMessage } from "./comm-message.ts";
import { kernelInfoReply } from "./kernel-info.ts";
import type { Published } from "./published.ts";
import { answerTo, needPython } from "./questions.ts";

export interface DoorKernelOptions {
  readonly sessions: DoorSessions;
  readonly version: string;
  /** Whether a client of the door started it: it stays until a client shuts it down. */
  readonly isOurs: boolean;
}

/** A session as a Jupyter kernel: its clients send requests, and see everything that happens in it. */
export class DoorKernel {
  readonly id = randomUUID();
  readonly session: LocalSession;
  readonly #options: DoorKernelOptions;
  readonly #audience = new Audience(() => void this.#release());
  readonly #cells: Cells;
  #hold: Session | null = null;
  #stopFollowing: () => void = () => {};
  #composer = new Composer(randomUUID());
  #generation = 0;
  #info: Pick<KernelInfo, "language" | "version"> = { language: "python", version: "3" };
  #lastActivity = new Date();
  #isRestarting = false;

  constructor(session: LocalSession, options: DoorKernelOptions) {
    this.session = session;
    this.#options = options;
    const held = (): Session => this.#held();
    this.#cells = new Cells({
      get session() {
        return held();
      },
      get executionCount() {
        return session.executionCount;
      },
      publish: (message, parent) => this.#publish(message, parent),
      reply: ({ client, header }, content) => this.#send(client, "shell", "execute_reply", content, header),
      ask: (request, prompt, password, signal) => this.#ask(request, prompt, password, signal),
      kernelLost: () => this.#publishState("restarting"),
    });
    if (options.isOurs) this.#held();
  }

  get folder(): string {
    return this.#options.sessions.folderOf(this.session);
  }

  get isOurs(): boolean {
    return this.#options.isOurs;
  }

  /** Whether clients should find it: it has a kernel, or its clients wait for the next one. */
  get isListed(): boolean {
    const { kernel, life } = this.session;
    return (
      kernel !== null || life === "provisioning" || life === "restarting" || this.isOurs || !this.#audience.isEmpty
    );
  }

  get connections(): number {
    return this.#audience.connections;
  }

  get state(): "starting" | "busy" | "idle" {
    const { life, isBusy } = this.session;
    if (life === "provisioning" || life === "restarting") return "starting";
    return isBusy ? "busy" : "idle";
  }

  get lastActivity(): Date {
    const { isBusy, idleSince } = this.session;
    const used = new Date(performance.timeOrigin + idleSince);
    return isBusy ? new Date() : new Date(Math.max(this.#lastActivity.getTime(), used.getTime()));
  }

  /** @param clientSession the client's own name for itself, by which it is known when it reconnects */
  connect(door: DoorSocket, clientSession: string | null): void {
    this.#held();
    const client = this.#audience.client(clientSession);
    client.connect(door, (message) => void this.#receive(client, message));
    // A client that joins in the middle of a cell has missed its beginning.
    const parent = this.#cells.running?.header ?? {};
    this.#send(client, "iopub", "status", { execution_state: this.state }, parent);
  }

  /** Interrupts the cell that runs, on whose behalf it may be. */
  interrupt(): void {
    void this.session.interrupt();
  }

  /** Starts the kernel, so that it is there. */
  async start(): Promise<void> {
    const { failure } = await this.#held().start().result;
    if (failure !== null) throw new Error(failure.message);
  }

  /** Another kernel for the same clients. Cells that others have queued before run first. */
  async restart(): Promise<void> {
    this.#isRestarting = true;
    try {
      const held = this.#held();
      void this.session.interrupt();
      const { failure } = await held.reset({ force: true }).result;
      if (failure !== null && failure.code !== "reset-in-progress") throw new Error(failure.message);
      await this.start();
    } finally {
      this.#isRestarting = false;
    }
    this.#publishState("idle");
  }

  /** Ends the kernel. The session stays for its other owners, whose next result reports it. */
  async shutDown(): Promise<void> {
    const held = this.#held();
    void this.session.interrupt();
    await held.reset({ force: true }).result;
    this.#audience.close();
    await this.#letGo({ ends: true });
  }

  /** Lets go of the session, and closes all connections. */
  async close(): Promise<void> {
    this.#audience.close();
    await this.#letGo();
  }

  /** Everything is followed from the first client on, and the session is kept. */
  #held(): Session {
    if (this.#hold !== null) return this.#hold;
    this.#hold = this.#options.sessions.hold(this.session);
    const stops = [
      this.session.observe(this.#cells),
      this.session.watch(({ from, to }) => {
        const isExpected = this.#isRestarting || from === "shutting down";
        if (to === "dead" && !isExpected && !this.session.isBusy) this.#publishState("restarting");
      }),
    ];
    this.#stopFollowing = () => {
      for (const stop of stops) stop();
    };
    return this.#hold;
  }

  async #release(): Promise<void> {
    if (!this.isOurs) await this.#letGo();
  }

  async #letGo({ ends = false } = {}): Promise<void> {
    const hold = this.#hold;
    this.#hold = null;
    this.#stopFollowing();
    if (ends && this.isOurs) await hold?.end();
    else await hold?.leave();
  }

  async #receive(client: DoorClient, message: JupyterMessage): Promise<void> {
    const type = message.header.msg_type;
    this.#lastActivity = new Date();
    if (type === "input_reply") return client.questions.take(message);
    if (type === "execute_request") return this.#cells.execute(toCellRequest(client, message));
    const comm = this.session.kernel?.comms && toCommMessage(message);
    if (comm) return this.#cells.deliver(message.header, comm);
    if (needPython.includes(type)) await this.#cells.allOf(client);
    await this.#during(client, message, () => this.#answer(client, message));
  }

  /** Clients expect every request between `busy` and `idle`. While a cell runs, others must not take that for its end. */
  async #during(client: DoorClient, { header }: JupyterMessage, work: () => Promise<void>): Promise<void> {
    const tell = (state: string, parent: JupyterHeader): void => {
      const content = { execution_state: state };
      if (this.#cells.running === null) this.#publish({ type: "status", content }, parent);
      else this.#send(client, "iopub", "status", content, parent);
    };
    tell("busy", header);
    await work();
    tell("idle", header);
    const { running } = this.#cells;
    if (running !== null) tell("busy", running.header);
  }

  async #answer(client: DoorClient, message: JupyterMessage): Promise<void> {
    const { channel, header, content } = message;
    switch (header.msg_type) {
      case "interrupt_request":
        this.interrupt();
        return this.#send(client, channel, "interrupt_reply", { status: "ok" }, header);
      case "shutdown_request": {
        const restart = content.restart === true;
        const reply = { status: "ok", restart };
        this.#send(client, channel, "shutdown_reply", reply, header);
        this.#publish({ type: "shutdown_reply", content: reply }, header);
        return restart ? this.restart() : this.shutDown();
      }
      case "comm_open":
        // As ipykernel answers for a target that is not registered. Python answers itself where it has comms.
        return this.#publish({ type: "comm_close", content: { comm_id: stringOf(content.comm_id), data: {} } }, header);
      default: {
        const asked = {
          session: this.session,
          kernelInfo: this.#kernelInfo(),
          executions: () => this.#options.sessions.executionsOf(this.session),
        };
        const reply = await answerTo(message, asked);
        if (reply !== null) this.#send(client, channel, header.msg_type.replace(/_request$/, "_reply"), reply, header);
      }
    }
  }

  #kernelInfo(): JsonObject {
    this.#info = this.session.info ?? this.#info;
    return kernelInfoReply(this.#info, this.#options.version);
  }

  #ask({ client, header }: CellRequest, prompt: string, password: boolean, signal: AbortSignal): Promise<string> {
    const question = this.#compose("stdin", "input_request", { prompt, password }, header);
    return client.questions.ask(question, (asked) => client.send(asked), signal);
  }

  /** A state without a request has no parent. */
  #publishState(state: "restarting" | "idle"): void {
    this.#publish({ type: "status", content: { execution_state: state } }, {});
  }

  #publish({ type, content, metadata, buffers }: Published, parent: Partial<JupyterHeader>): void {
    const message = this.#compose("iopub", type, content, parent);
    this.#audience.publish({ ...message, ...(metadata && { metadata }), ...(buffers && { buffers }) });
  }

  #send(
    client: DoorClient,
    channel: ChannelName,
    type: string,
    content: JsonObject,
    parent: Partial<JupyterHeader>,
  ): void {
    client.send(this.#compose(channel, type, content, parent));
  }

  /** The messages of each kernel have a session of their own, by which clients notice a restart. */
  #compose(channel: ChannelName, type: string, content: JsonObject, parent: Partial<JupyterHeader>): JupyterMessage {
    const { generation } = this.session;
    if (generation !== this.#generation) {
      this.#generation = generation;
      this.#composer = new Composer(randomUUID());
    }
    return this.#composer.compose(channel, type, content, parent);
  }
}
