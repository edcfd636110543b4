import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { deferred } from "../../../support/deferred.ts";
import { packageFile } from "../../../support/files/package-file.ts";
import { withRoomForMarks } from "../../../support/process/kernel-mark.ts";
import { endsWithin, signalGroup, started } from "../../../support/process/process-group.ts";
import type { StartOptions } from "../../kernel.ts";
import { LineSplitter } from "../wire/line-splitter.ts";
import type { ForkedChild } from "./forked-child.ts";
import { KernelParent } from "./kernel-parent.ts";
import {
  decodeTemplateFrame,
  longestForkFrame,
  type Ready,
  type TemplateFrame,
  type TemplateRequest,
} from "./template-frames.ts";

const script = packageFile("python/granary_runner/__main__.py");
const stderrTailCharacters = 2048;
const endMs = 1000;

export interface TemplateOptions extends Pick<StartOptions, "interpreter" | "cwd" | "env"> {
  readonly preload: readonly string[];
  readonly prelude?: boolean | undefined;
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

/** A warm Python that forks kernels. It keeps the host from ending only while there are such kernels. */
export class Template {
  readonly pid: number;
  /** Settles when it has ended. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #commands: Socket;
  readonly #ready = deferred<Ready>();
  readonly #listener: TemplateListener;
  readonly #parent: KernelParent;
  #loading: string | null = null;
  #stderr = "";

  private constructor(child: ChildProcess, listener: TemplateListener) {
    this.#child = child;
    this.pid = child.pid as number;
    this.#listener = listener;
    const [, , stderr, commands] = child.stdio as unknown as Socket[];
    this.#commands = commands as Socket;
    this.#parent = new KernelParent(this.#commands);
    child.unref();
    for (const stream of child.stdio as unknown as (Socket | null)[]) {
      stream?.on("error", () => undefined);
      stream?.unref();
    }
    stderr?.on("data", (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-stderrTailCharacters);
    });
    const lines = new LineSplitter((line) => this.#take(decodeTemplateFrame(line)), longestForkFrame);
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
    const { interpreter, cwd, env, preload, prelude, limits } = options;
    const start = () =>
      spawn(interpreter, [script, "template"], {
        cwd,
        env: withRoomForMarks(env),
        detached: true,
        stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
      });
    const template = new Template(await started(start), listener);
    template.#send({ op: "preload", modules: preload, prelude, ...limits });
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
  fork(signal: AbortSignal): Promise<ForkedChild> {
    return this.#parent.fork(signal);
  }

  kill(): void {
    signalGroup(this.pid, "SIGKILL");
  }

  /** Ends it; while it has kernels, it only retires. */
  async end(): Promise<void> {
    this.#parent.retire();
    if (this.#parent.hasKernels) return;
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
      case "unfit":
        return this.#ready.reject(new Error(frame.why));
      case "loading":
        this.#loading = frame.module;
        return;
      case "skipped":
      case "spoiled":
        return this.#listener.onRefusal({ module: frame.module, why: frame.why, spoils: frame.t === "spoiled" });
      case "ready":
        this.#loading = null;
        return this.#ready.resolve(frame);
      default:
        return this.#parent.take(frame);
    }
  }

  /** Exit states of its children are unknown from now on. */
  #goneFor(): void {
    const said = this.#stderr.trim();
    const gone = new Error(`A warm Python ended.${said === "" ? "" : ` It said: ${said}`}`);
    this.#ready.reject(gone);
    this.#parent.end(gone);
    for (const stream of this.#child.stdio as unknown as (Socket | null)[]) stream?.destroy();
  }
}
