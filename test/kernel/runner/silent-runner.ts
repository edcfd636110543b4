import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { RunnerProcess } from "../../../src/kernel/runner/spawn-runner.ts";
import { deferred } from "../../../src/support/deferred.ts";

/** One of the runner's private sockets as the host sees it; the test holds the other end. */
class PrivateChannel {
  readonly #written: string[] = [];
  readonly socket: Socket;

  constructor() {
    const written = this.#written;
    const duplex = new Duplex({
      read: () => undefined,
      write(chunk: Buffer, _encoding, taken) {
        written.push(chunk.toString());
        taken();
      },
    });
    this.socket = duplex as unknown as Socket;
  }

  /** The runner sends a message. */
  say(text: string | Buffer): void {
    this.socket.push(text);
  }

  /** The lines that the host has written since the last call. */
  takeLines(): string[] {
    return this.#written.splice(0).join("").split("\n").slice(0, -1);
  }
}

/** A runner without a process: the test sends all its messages. */
export class SilentRunner {
  readonly frames = new PrivateChannel();
  readonly control = new PrivateChannel();
  readonly interrupts = new PrivateChannel();
  readonly #exited = deferred<{ exitCode: number | null; signal: NodeJS.Signals | null }>();

  /** Larger than any process number, so that no signal reaches a process. */
  readonly pid = 2 ** 30;

  get process(): RunnerProcess {
    return {
      pid: this.pid,
      pythonPid: this.pid,
      inherited: null,
      mark: null,
      frames: this.frames.socket,
      control: this.control.socket,
      interrupts: this.interrupts.socket,
      exited: this.#exited.promise,
      close: () => undefined,
    };
  }

  exit(): void {
    this.#exited.resolve({ exitCode: 0, signal: null });
  }
}
