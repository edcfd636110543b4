import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { constants } from "node:os";
import { type Deferred, deferred } from "../../../support/deferred.ts";
import { packageFile } from "../../../support/files/package-file.ts";
import { endsWithin, signalGroup, started } from "../../../support/process/process-group.ts";
import type { StartOptions } from "../../kernel.ts";
import type { RunnerExit } from "../spawn-runner.ts";
import { LineSplitter } from "../wire/line-splitter.ts";
import { type Channels, ForkSocket } from "./fork-socket.ts";
import { ForkedChild } from "./forked-child.ts";
import { decodeTemplateFrame, type Ready, type TemplateFrame, type TemplateRequest } from "./template-frames.ts";

const script = packageFile("python/granary_runner/__main__.py");
const stderrTailCharacters = 2048;
const endMs = 1000;
const reportMs = 3000;

export interface TemplateOptions extends Pick<StartOptions, "interpreter" | "cwd" | "env"> {
  readonly preload: readonly string[];
  /** Beyond these, no further module is imported. */
  readonly limits: { readonly seconds: number; readonly megabytes: number };
}

/** A module that was not imported, or that must not be imported ahead at all. */
export interface Refusal {
  readonly module: string;
  readonly why: string;
  /** Whether it has made the interpreter unfit for forking. */
  readonly spoils: boolean;
}

export interface TemplateListener {
  /** Nothing is imported yet; these are the folders of `sys.path`. */
  onBegun(path: readonly string[]): void;
  onRefusal(refusal: Refusal): void;
}

interface Forked {
  readonly pid: number;
  readonly exit: Promise<RunnerExit | "unseen">;
}

/** A warm Python that forks kernels. It keeps the host from ending only while there are such kernels. */
export class Template {
  readonly pid: number;
  /** Settles when it has ended. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #commands: Socket;
  readonly #ready = deferred<Ready>();
  readonly #listener: TemplateListener;
  readonly #forks = new Map<number, Deferred<Forked>>();
  readonly #exits = new Map<number, Deferred<RunnerExit | "unseen">>();
  #lastFork = 0;
  #living = 0;
  #loading: string | null = null;
  #stderr = "";

  private constructor(child: ChildProcess, listener: TemplateListener) {
    this.#child = child;
    this.pid = child.pid as number;
    this.#listener = listener;
    const [, , stderr, commands] = child.stdio as unknown as Socket[];
    this.#commands = commands as Socket;
    child.unref();
    for (const stream of child.stdio as unknown as (Socket | null)[]) {
      stream?.on("error", () => undefined);
      stream?.unref();
    }
    stderr?.on("data", (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-stderrTailCharacters);
    });
    const lines = new LineSplitter((line) => this.#take(decodeTemplateFrame(line)));
    this.#commands.on("data", (chunk: Buffer) => {
      try {
        lines.push(chunk);
      } catch {
        this.kill();
      }
    });
    this.ended = new Promise((resolve) => child.once("exit", () => resolve(this.#goneFor())));
    this.#ready.promise.catch(() => undefined);
  }

  static async start(options: TemplateOptions, listener: TemplateListener): Promise<Template> {
    const { interpreter, cwd, env, preload, limits } = options;
    const start = () =>
      spawn(interpreter, [script, "template"], {
        cwd,
        env,
        detached: true,
        stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
      });
    const template = new Template(await started(start), listener);
    template.#send({ op: "preload", modules: preload, ...limits });
    return template;
  }

  /** Settles when it can fork; rejects, with what it said, when it ended before. */
  get ready(): Promise<Ready> {
    return this.#ready.promise;
  }

  /** The module that is being imported, for the report when it hangs. */
  get loading(): string | null {
    return this.#loading;
  }

  /** A child that waits until it becomes a kernel, connected to this host. */
  async fork(signal: AbortSignal): Promise<ForkedChild> {
    const place = await ForkSocket.open();
    const number = ++this.#lastFork;
    const forked = deferred<Forked>();
    this.#forks.set(number, forked);
    const giveUp = (): void => {
      place.close();
      forked.reject(new Error("The warm Python has not forked in time."));
    };
    signal.addEventListener("abort", giveUp, { once: true });
    try {
      this.#send({ op: "fork", fork: number, path: place.path, word: place.word });
      const [{ pid, exit }, channels] = await Promise.all([forked.promise, place.channels]);
      const exited = exitOf(exit, channels);
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

  kill(): void {
    signalGroup(this.pid, "SIGKILL");
  }

  /** Ends it; while it has kernels, it only retires. */
  async end(): Promise<void> {
    this.retire();
    if (this.#living > 0) return;
    if (await endsWithin(this.ended, endMs)) return;
    this.kill();
    await this.ended;
  }

  #send(request: TemplateRequest): void {
    this.#commands.write(`${JSON.stringify(request)}\n`);
  }

  #take(frame: TemplateFrame): void {
    switch (frame.t) {
      case "begun":
        return this.#listener.onBegun(frame.path);
      case "loading":
        this.#loading = frame.module;
        return;
      case "skipped":
      case "spoiled":
        return this.#listener.onRefusal({ module: frame.module, why: frame.why, spoils: frame.t === "spoiled" });
      case "ready":
        this.#loading = null;
        return this.#ready.resolve(frame);
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

  /** Exit states of its children are unknown from now on. */
  #goneFor(): void {
    const said = this.#stderr.trim();
    const gone = new Error(`A warm Python ended.${said === "" ? "" : ` It said: ${said}`}`);
    this.#ready.reject(gone);
    for (const fork of this.#forks.values()) fork.reject(gone);
    for (const exit of this.#exits.values()) exit.resolve("unseen");
    for (const stream of this.#child.stdio as unknown as (Socket | null)[]) stream?.destroy();
  }
}

/**
 * The template reports it, unless the template has ended or hangs; then the end of a channel that only the kernel holds is the sign.
 */
async function exitOf(exit: Promise<RunnerExit | "unseen">, { lifeline }: Channels): Promise<RunnerExit> {
  const closed = new Promise<void>((resolve) => lifeline.once("close", () => resolve()));
  lifeline.resume();
  const late = closed.then(() => new Promise<"unseen">((resolve) => setTimeout(resolve, reportMs, "unseen").unref()));
  const told = await Promise.race([exit, late]);
  if (told !== "unseen") return told;
  await closed;
  return { exitCode: null, signal: null };
}

function signalName(number: number | null): NodeJS.Signals | null {
  if (number === null) return null;
  const known = Object.entries(constants.signals).find(([, value]) => value === number);
  return (known?.[0] ?? `SIG${number}`) as NodeJS.Signals; // those without a name are real-time signals
}
