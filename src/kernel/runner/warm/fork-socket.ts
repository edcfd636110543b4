import { randomBytes, timingSafeEqual } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deferred } from "../../../support/deferred.ts";

const channels = ["frames", "control", "interrupts", "lifeline"] as const;

export type Channels = Readonly<Record<(typeof channels)[number], Socket>>;

/** A longer path does not fit into a socket's address, which has 104 bytes on macOS and 108 on Linux. */
const longestPath = 100;
const longestGreeting = 128;

/**
 * Where one forked child connects to, and no other process: a socket in a folder that only its owner can enter, with a word that
 * is good for this child. Gone from the disk when the child has connected.
 */
export class ForkSocket {
  readonly path: string;
  readonly word = randomBytes(16).toString("hex");
  readonly #folder: string;
  readonly #server: Server;
  readonly #arrived: Partial<Record<(typeof channels)[number], Socket>> = {};
  readonly #all = deferred<Channels>();

  private constructor(folder: string) {
    this.#folder = folder;
    this.path = join(folder, "s");
    this.#server = createServer({ pauseOnConnect: false }, (socket) => this.#greet(socket));
    this.#server.unref();
    this.#all.promise.catch(() => undefined);
  }

  static async open(): Promise<ForkSocket> {
    const folder = await newFolder();
    const place = new ForkSocket(folder);
    try {
      await place.#listen();
    } catch (error) {
      place.close();
      throw error;
    }
    return place;
  }

  /** Settles when the child has connected all its channels; rejects when the place was closed before. */
  get channels(): Promise<Channels> {
    return this.#all.promise;
  }

  close(): void {
    this.#server.close();
    rmSync(this.#folder, { recursive: true, force: true });
    this.#all.reject(new Error("The child did not connect."));
    if (Object.keys(this.#arrived).length === channels.length) return;
    for (const socket of Object.values(this.#arrived)) socket.destroy();
  }

  #listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.path, resolve);
    });
  }

  /** The first line of a connection is the word and the name of the channel. */
  #greet(socket: Socket): void {
    socket.on("error", () => undefined);
    let greeting = "";
    const take = (chunk: Buffer): void => {
      greeting += chunk.toString("latin1");
      const isWhole = greeting.endsWith("\n");
      if (!isWhole && greeting.length < longestGreeting) return;
      socket.off("data", take);
      socket.pause();
      this.#admit(greeting.trimEnd(), socket);
    };
    socket.on("data", take);
  }

  #admit(greeting: string, socket: Socket): void {
    const [word = "", name = ""] = greeting.split(" ");
    const channel = channels.find((known) => known === name);
    if (channel === undefined || this.#arrived[channel] || !isSame(word, this.word)) {
      socket.destroy();
      return;
    }
    this.#arrived[channel] = socket;
    socket.unref();
    const { frames, control, interrupts, lifeline } = this.#arrived;
    if (!frames || !control || !interrupts || !lifeline) return;
    this.#all.resolve({ frames, control, interrupts, lifeline });
    this.close();
  }
}

function isSame(given: string, expected: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}

async function newFolder(): Promise<string> {
  const folders = [tmpdir(), "/tmp"].filter((folder) => Buffer.byteLength(folder) + 24 <= longestPath);
  let problem: unknown = new Error("The paths of all temporary folders are too long for a socket.");
  for (const folder of folders) {
    try {
      return await mkdtemp(join(folder, "granary-")); // mode 0700
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}
