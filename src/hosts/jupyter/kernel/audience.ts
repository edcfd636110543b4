import { randomUUID } from "node:crypto";
import type { JupyterMessage } from "../../../kernel/jupyter/messages/message.ts";
import { DoorClient } from "../client/door-client.ts";

/** The clients of one kernel. */
export class Audience {
  readonly #clients = new Map<string, DoorClient>();
  readonly #onEmpty: () => void;

  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty;
  }

  /** Clients with a connection. */
  get connections(): number {
    return [...this.#clients.values()].filter(({ isConnected }) => isConnected).length;
  }

  get isEmpty(): boolean {
    return this.#clients.size === 0;
  }

  /** The client of that session: the one that lost its connection, or a new one. Without a name, it cannot come back. */
  client(session: string | null): DoorClient {
    const known = session === null ? undefined : this.#clients.get(session);
    if (known !== undefined) return known;
    const name = session ?? randomUUID();
    const client: DoorClient = new DoorClient(name, { returns: session !== null, onGone: () => this.#remove(name) });
    this.#clients.set(name, client);
    return client;
  }

  publish(message: JupyterMessage): void {
    for (const client of this.#clients.values()) client.send(message);
  }

  close(): void {
    for (const client of this.#clients.values()) client.close();
    this.#clients.clear();
  }

  #remove(name: string): void {
    this.#clients.delete(name);
    if (this.isEmpty) this.#onEmpty();
  }
}
