import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { deferred } from "../../../support/deferred.ts";
import { isSameWord, PrivateSocket } from "./private-socket.ts";

const channels = ["frames", "control", "interrupts", "lifeline"] as const;

export type Channels = Readonly<Record<(typeof channels)[number], Socket>>;

/**
 * Where one forked child connects to, and no other process, with a word that is good for this child. Gone from the disk when
 * the child has connected.
 */
export class ForkSocket {
  readonly word = randomBytes(16).toString("hex");
  readonly #arrived: Partial<Record<(typeof channels)[number], Socket>> = {};
  readonly #all = deferred<Channels>();
  #socket: PrivateSocket | undefined;

  private constructor() {
    this.#all.promise.catch(() => undefined);
  }

  static async open(): Promise<ForkSocket> {
    const place = new ForkSocket();
    place.#socket = await PrivateSocket.open((word, name, socket) => place.#admit(word, name, socket));
    return place;
  }

  get path(): string {
    return this.#socket?.path ?? "";
  }

  /** Settles when the child has connected all its channels; rejects when the place was closed before. */
  get channels(): Promise<Channels> {
    return this.#all.promise;
  }

  close(): void {
    this.#socket?.close();
    this.#all.reject(new Error("The child did not connect."));
    if (Object.keys(this.#arrived).length === channels.length) return;
    for (const socket of Object.values(this.#arrived)) socket.destroy();
  }

  #admit(word: string, name: string, socket: Socket): boolean {
    const channel = channels.find((known) => known === name);
    if (channel === undefined || this.#arrived[channel] || !isSameWord(word, this.word)) return false;
    this.#arrived[channel] = socket;
    const { frames, control, interrupts, lifeline } = this.#arrived;
    if (frames && control && interrupts && lifeline) {
      this.#all.resolve({ frames, control, interrupts, lifeline });
      this.close();
    }
    return true;
  }
}
