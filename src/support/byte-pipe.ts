import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { type ConnectOpts, Socket, type SocketConstructorOpts } from "node:net";

/** The read end of a pipe with a program's output. */
export interface BytePipe {
  /** While held, nothing is read, and a writer that has filled the pipe blocks. */
  hold(held: boolean): void;
  /** Settles at end of file, which a child that outlives the program may delay for ever. */
  readonly ended: Promise<void>;
  close(): void;
}

const chunkBytes = 64 * 1024;

// Bun's sockets do not take descriptors, and its own reader delivers bytes later than it reads them.
const bun = (globalThis as { Bun?: { file(fd: number): { stream(): ReadableStream<Uint8Array> } } }).Bun;

/** Whether bytes are delivered in the order in which they are read: the `settled` of the protocol. */
export const readsInOrder = bun === undefined;

export function openPipe(path: string): number {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if (fstatSync(fd).isFIFO()) return fd;
  closeSync(fd);
  throw new Error(`${path} is not a pipe`);
}

/** Reads a pipe; the chunk is only valid during the call. */
export function readPipe(fd: number, onChunk: (chunk: Buffer) => void): BytePipe {
  return bun ? readWithBun(bun.file(fd).stream(), onChunk) : readWithNode(fd, onChunk);
}

function readWithNode(fd: number, onChunk: (chunk: Buffer) => void): BytePipe {
  let held = false;
  // One buffer for the whole life of the pipe, so that memory does not grow with output.
  const buffer = Buffer.allocUnsafe(chunkBytes);
  const callback = (length: number): boolean => {
    onChunk(buffer.subarray(0, length));
    return !held;
  };
  const options: SocketConstructorOpts & ConnectOpts = {
    fd,
    readable: true,
    writable: false,
    onread: { buffer, callback },
  };
  const socket = new Socket(options);
  return {
    hold(hold) {
      if (held === hold) return;
      held = hold;
      if (hold) socket.pause();
      else socket.resume();
    },
    ended: new Promise((resolve) => socket.once("close", () => resolve()).once("error", () => resolve())),
    close: () => socket.destroy(),
  };
}

function readWithBun(stream: ReadableStream<Uint8Array>, onChunk: (chunk: Buffer) => void): BytePipe {
  const reader = stream.getReader();
  let held = false;
  let wake: (() => void) | undefined;
  const ended = (async () => {
    for (;;) {
      while (held) await new Promise<void>((resolve) => (wake = resolve));
      const { done, value } = await reader.read();
      if (done) return;
      onChunk(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
    }
  })().catch(() => undefined);
  return {
    hold(hold) {
      held = hold;
      if (!hold) wake?.();
    },
    ended,
    close: () => void reader.cancel().catch(() => undefined),
  };
}

/** Reads a socket from Node, where no pipe could be made. */
export function readSocket(socket: Socket, onChunk: (chunk: Buffer) => void): BytePipe {
  socket.on("data", onChunk);
  return {
    hold: (hold) => void (hold ? socket.pause() : socket.resume()),
    ended: new Promise((resolve) => socket.once("close", () => resolve()).once("error", () => resolve())),
    close: () => socket.destroy(),
  };
}
