import { timingSafeEqual } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A longer path does not fit into a socket's address, which has 104 bytes on macOS and 108 on Linux. */
const longestPath = 100;
const longestGreeting = 128;

/** Whether a connection with this word and this name was expected; all others are closed. */
type Admit = (word: string, name: string, socket: Socket) => boolean;

/** A unix socket in a folder that only its owner can enter. The first line of a connection is a word and a name. */
export class PrivateSocket {
  readonly path: string;
  readonly #folder: string;
  readonly #server: Server;
  /** Connections without a word yet: a process may die before it sends its own. */
  readonly #unknown = new Set<Socket>();

  private constructor(folder: string, admit: Admit) {
    this.#folder = folder;
    this.path = join(folder, "s");
    this.#server = createServer({ pauseOnConnect: false }, (socket) => {
      this.#unknown.add(socket);
      socket.once("close", () => this.#unknown.delete(socket));
      greet(socket, (...introduction) => this.#unknown.delete(socket) && admit(...introduction));
    });
    this.#server.unref();
  }

  static async open(admit: Admit): Promise<PrivateSocket> {
    const opened = new PrivateSocket(await newFolder(), admit);
    try {
      await opened.#listen();
    } catch (error) {
      opened.close();
      throw error;
    }
    return opened;
  }

  /** Connections that were admitted stay; the others end, and with them a copy that waits at one. */
  close(): void {
    this.#server.close();
    for (const socket of this.#unknown) socket.destroy();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.path, resolve);
    });
  }
}

/** Hands the socket on paused; what came after the greeting is still to be read. */
function greet(socket: Socket, admit: Admit): void {
  socket.on("error", () => undefined);
  let bytes = Buffer.alloc(0);
  const take = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    const end = bytes.indexOf("\n");
    if (end === -1 && bytes.length < longestGreeting) return;
    socket.off("data", take);
    socket.pause();
    const [word = "", name = ""] = bytes.subarray(0, Math.max(0, end)).toString("latin1").split(" ");
    const rest = bytes.subarray(end + 1);
    if (!admit(word, name, socket.unref())) socket.destroy();
    else if (rest.length > 0) socket.unshift(rest);
  };
  socket.on("data", take);
}

export function isSameWord(given: string, expected: string): boolean {
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
