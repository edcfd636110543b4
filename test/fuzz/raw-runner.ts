import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { inRepository } from "../../scripts/repository.mjs";
import { plainEnvironment } from "../kernel/runner/start-runner.ts";

const script = inRepository("python/granary_runner/__main__.py");
type Frame = Readonly<Record<string, unknown>>;

/** A Python of Granary's whose channels the test writes itself. */
export class RawPython {
  readonly pid: number;
  readonly frames: Frame[] = [];
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  readonly #child: ChildProcess;
  #said = "";
  #hasEnded = false;
  #arrived: () => void = () => {};

  private constructor(python: string, cwd: string, args: readonly string[]) {
    // A warm interpreter with more descriptors than it is given takes them for those of a .pth file, and forks nothing.
    const more = args.includes("template") ? [] : (["pipe", "pipe"] as const);
    const stdio = ["ignore", "ignore", "pipe", "pipe", "pipe", ...more] as const;
    this.#child = spawn(python, [script, ...args], { cwd, env: plainEnvironment, detached: true, stdio: [...stdio] });
    this.pid = this.#child.pid as number;
    this.exited = once(this.#child, "close").then(([code, signal]) => {
      this.#hasEnded = true;
      this.#arrived();
      return { code, signal };
    });
    for (const stream of this.#child.stdio) stream?.on("error", () => {});
    this.#child.stderr?.on("data", (chunk: Buffer) => {
      this.#said = (this.#said + chunk.toString()).slice(-5000);
    });
    for (const channel of [3, 4]) this.#listen(channel);
  }

  /** A runner that has said hello, and takes requests. */
  static async runner(python: string, cwd: string): Promise<RawPython> {
    const runner = new RawPython(python, cwd, []);
    await runner.until(({ t }) => t === "hello");
    runner.write(3, '{"op":"streams","use":"inherited"}\n');
    return runner;
  }

  /** A warm interpreter that has said that it begins. */
  static async template(python: string, cwd: string): Promise<RawPython> {
    const template = new RawPython(python, cwd, ["template"]);
    await template.until(({ t }) => t === "begun");
    return template;
  }

  get said(): string {
    return this.#said;
  }

  write(channel: 3 | 4 | 5, bytes: string | Buffer): void {
    (this.#child.stdio as readonly unknown[] as readonly Socket[])[channel]?.write(bytes);
  }

  /** A frame that has come, or comes; null when Python ends before. */
  async until(isMeant: (frame: Frame) => boolean): Promise<Frame | null> {
    for (let seen = 0; ; ) {
      for (; seen < this.frames.length; seen++)
        if (isMeant(this.frames[seen] as Frame)) return this.frames[seen] as Frame;
      if (this.#hasEnded) return null;
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
  }

  async end(): Promise<void> {
    if (this.#hasEnded) return;
    process.kill(-this.pid, "SIGKILL");
    await this.exited;
  }

  #listen(channel: number): void {
    let rest = "";
    (this.#child.stdio[channel] as Socket).on("data", (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split("\n");
      rest = lines.pop() as string;
      for (const line of lines) this.frames.push(JSON.parse(line) as Frame);
      this.#arrived();
    });
  }
}
