import type { Socket } from "node:net";
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type Deferred, deferred } from "../../../support/deferred.ts";
import type { RunnerExit } from "../spawn-runner.ts";
import { type Channels, ForkSocket } from "./fork-socket.ts";
import { ForkedChild } from "./forked-child.ts";
import type { ForkFrame, ForkRequest } from "./template-frames.ts";

const reportMs = 3000;
const remindMs = 100;

interface Forked {
  readonly pid: number;
  readonly exit: Promise<RunnerExit | "unseen">;
}

/**
 * A Python that forks kernels and reports how they ended, over a socket. It keeps the host from ending only while there are
 * such kernels.
 */
export class KernelParent {
  readonly #commands: Socket;
  readonly #forks = new Map<number, Deferred<Forked>>();
  readonly #exits = new Map<number, Deferred<RunnerExit | "unseen">>();
  #lastFork = 0;
  #living = 0;

  constructor(commands: Socket) {
    this.#commands = commands;
  }

  /** Whether kernels of it live. */
  get hasKernels(): boolean {
    return this.#living > 0;
  }

  /** A child that waits until it becomes a kernel, connected to this host. */
  async fork(signal: AbortSignal): Promise<ForkedChild> {
    const place = await ForkSocket.open();
    const number = ++this.#lastFork;
    const forked = deferred<Forked>();
    this.#forks.set(number, forked);
    const giveUp = (): void => {
      place.close();
      forked.reject(new Error("Python has not forked in time."));
    };
    signal.addEventListener("abort", giveUp, { once: true });
    try {
      if (signal.aborted) giveUp();
      this.#send({ op: "fork", fork: number, path: place.path, word: place.word });
      const [{ pid, exit }, channels] = await Promise.all([forked.promise, place.channels]);
      const exited = exitOf(exit, channels, () => this.#send({ op: "reap" }));
      return new ForkedChild(pid, channels, exited, () => this.#keepHostUntil(exited));
    } finally {
      signal.removeEventListener("abort", giveUp);
      this.#forks.delete(number);
      place.close();
    }
  }

  /** Forks no more, and ends with its last kernel. */
  retire(): void {
    this.#send({ op: "retire" });
  }

  take(frame: ForkFrame): void {
    switch (frame.t) {
      case "forked":
        return this.#takeForked(frame.fork, frame.pid);
      case "unforked":
        return this.#forks.get(frame.fork)?.reject(new Error(frame.why));
      case "ended":
        this.#exits.get(frame.pid)?.resolve({ exitCode: frame.code, signal: signalName(frame.signal) });
        this.#exits.delete(frame.pid);
        return;
      default:
        return frame satisfies never;
    }
  }

  /** It has ended: exit states of its children are unknown from now on. */
  end(why: Error): void {
    for (const fork of this.#forks.values()) fork.reject(why);
    for (const exit of this.#exits.values()) exit.resolve("unseen");
  }

  #send(request: ForkRequest): void {
    if (this.#commands.destroyed) return;
    this.#commands.write(`${JSON.stringify(request)}\n`);
  }

  #takeForked(fork: number, pid: number): void {
    const exit = deferred<RunnerExit | "unseen">();
    this.#exits.set(pid, exit);
    this.#forks.get(fork)?.resolve({ pid, exit: exit.promise });
  }

  /** While a kernel lives, the host waits for the report of its end. */
  #keepHostUntil(exited: Promise<RunnerExit>): void {
    if (this.#living++ === 0) this.#commands.ref();
    void exited.then(() => {
      if (--this.#living === 0) this.#commands.unref();
    });
  }
}

/**
 * The parent reports it, unless the parent has ended or hangs; then the end of a channel that only the kernel holds is the sign.
 */
async function exitOf(
  exit: Promise<RunnerExit | "unseen">,
  { lifeline }: Channels,
  remind: () => void,
): Promise<RunnerExit> {
  const closed = new Promise<void>((resolve) => lifeline.once("close", () => resolve()));
  lifeline.resume();
  const told = await Promise.race([exit, closed.then(() => afterReminders(exit, remind))]);
  if (told !== "unseen") return told;
  await closed;
  return { exitCode: null, signal: null };
}

/** A signal that reaches Python right before it waits for a request is noticed with the request: so the report may need one. */
async function afterReminders<T>(report: Promise<T>, remind: () => void): Promise<T | "unseen"> {
  const until = performance.now() + reportMs;
  while (performance.now() < until) {
    const told = await Promise.race([report, sleep(remindMs, "late" as const, { ref: false })]);
    if (told !== "late") return told;
    remind();
  }
  return "unseen";
}

function signalName(number: number | null): NodeJS.Signals | null {
  if (number === null) return null;
  const known = Object.entries(constants.signals).find(([, value]) => value === number);
  return (known?.[0] ?? `SIG${number}`) as NodeJS.Signals; // those without a name are real-time signals
}
