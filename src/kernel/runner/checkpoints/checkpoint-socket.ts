import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { deferred } from "../../../support/deferred.ts";
import { isSameWord, PrivateSocket } from "../warm/private-socket.ts";
import type { CheckpointAnswer } from "./kernel-checkpoint.ts";

/** The part of a request to the runner that asks for a checkpoint. */
export interface CheckpointWish {
  readonly checkpoint: number;
  readonly path: string;
  readonly word: string;
}

interface Expected {
  readonly number: number;
  readonly word: string;
  resolve(answer: CheckpointAnswer): void;
}

/** A kernel that has died may have introduced a copy right before. Rounds of the event loop, since a busy host is late itself. */
const lateRounds = 20;
const roundMs = 50;
const didNotArrive = "the copy could not connect, as when the host has no descriptors left";
export const cameToNothing = "the kernel ended before it was made";

/** Where the copies of one kernel connect to, each with a word of its own. */
export class CheckpointSocket {
  readonly #welcome: (socket: Socket) => Promise<CheckpointAnswer>;
  readonly #expected = new Map<number, Expected>();
  #socket: PrivateSocket | undefined;
  #opening: Promise<void> | undefined;
  #last = 0;
  #arriving = 0;
  readonly #pids = new Set<number>();

  /** @param welcome makes a checkpoint of the connection to a copy */
  constructor(welcome: (socket: Socket) => Promise<CheckpointAnswer>) {
    this.#welcome = welcome;
  }

  open(): Promise<void> {
    this.#opening ??= PrivateSocket.open((word, name, socket) => this.#admit(word, name, socket)).then((socket) => {
      this.#socket = socket;
    });
    return this.#opening;
  }

  /** Expects one more copy; undefined when there is no socket. */
  expect(): { readonly wish: CheckpointWish; readonly answer: Promise<CheckpointAnswer> } | undefined {
    if (this.#socket === undefined) return undefined;
    const number = ++this.#last;
    const word = randomBytes(16).toString("hex");
    const { promise: answer, resolve } = deferred<CheckpointAnswer>();
    this.#expected.set(number, { number, word, resolve });
    return { wish: { checkpoint: number, path: this.#socket.path, word }, answer };
  }

  get isWaiting(): boolean {
    return this.#expected.size > 0;
  }

  /** The processes of all copies so far; null while one may be there that is not known yet. */
  get pids(): ReadonlySet<number> | null {
    return this.isWaiting || this.#arriving > 0 ? null : this.#pids;
  }

  /** The kernel has said that there will be none. */
  refuse(number: number, whyNot: string): void {
    this.#expected.get(number)?.resolve({ whyNot });
    this.#expected.delete(number);
  }

  /** The kernel has continued: copies from before arrive soon or never, as when this process had no descriptor for them. */
  async giveUpMissing(): Promise<void> {
    const last = this.#last;
    await this.#lateOnes();
    for (const number of [...this.#expected.keys()]) if (number <= last) this.refuse(number, didNotArrive);
  }

  /** The kernel has ended. */
  async close(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    await this.#lateOnes();
    for (const number of [...this.#expected.keys()]) this.refuse(number, cameToNothing);
    this.#socket?.close();
    this.#socket = undefined;
  }

  async #lateOnes(): Promise<void> {
    for (let round = 0; round < lateRounds && this.#expected.size > 0; round++)
      await new Promise((resolve) => setTimeout(resolve, roundMs).unref());
  }

  #admit(word: string, name: string, socket: Socket): boolean {
    const found = [...this.#expected.values()].find((expected) => isSameWord(word, expected.word));
    if (name !== "copy" || found === undefined) return false;
    this.#expected.delete(found.number);
    void this.#arrive(socket).then(found.resolve);
    return true;
  }

  async #arrive(socket: Socket): Promise<CheckpointAnswer> {
    this.#arriving++;
    const answer = await this.#welcome(socket);
    this.#arriving--;
    if ("pid" in answer) this.#pids.add(answer.pid);
    return answer;
  }
}
