import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import xterm from "@xterm/headless";
import { onTestFinished } from "vitest";
import { newestPython } from "../environment/pythons.ts";
import { until } from "../kernel/until.ts";

export interface RealTerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A program in a real pseudo-terminal, whose screen can be read and which can be typed into. It ends with the test. */
export class RealTerminal {
  readonly #relay: ChildProcessByStdio<Writable, Readable, null>;
  readonly #terminal: xterm.Terminal;
  /** The program's exit code; 128 and more when a signal ended it. */
  readonly exited: Promise<number>;
  #unseen = 0;
  /** Everything that the program has ever written. */
  written = "";

  constructor(command: readonly string[], { columns = 100, rows = 40, cwd, env }: RealTerminalOptions) {
    this.#terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
    const relay = fileURLToPath(new URL("relay.py", import.meta.url));
    this.#relay = spawn(newestPython().path, [relay, String(columns), String(rows), ...command], {
      cwd,
      env,
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#relay.stdin.on("error", () => undefined);
    this.exited = new Promise((resolve) => this.#relay.once("close", (code) => resolve(code ?? -1)));
    this.#relay.stdout.on("data", (chunk: Buffer) => {
      this.written += chunk.toString("latin1");
      this.#unseen += 1;
      this.#terminal.write(chunk, () => {
        this.#unseen -= 1;
      });
    });
    // What a terminal answers when it is asked what it is and where its cursor stands.
    this.#terminal.onData((answer) => this.type(answer));
    onTestFinished(() => this.close());
  }

  type(text: string): void {
    this.#do({ type: text });
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
    this.#do({ resize: [columns, rows] });
  }

  /** The visible lines, without blanks at their ends and blank lines at the end. */
  get screen(): string {
    const { active } = this.#terminal.buffer;
    return this.#lines(active.baseY, active.baseY + this.#terminal.rows);
  }

  /** The same with everything that has scrolled away. */
  get scrollback(): string {
    return this.#lines(0, this.#terminal.buffer.active.length);
  }

  /** Waits until the screen shows it. */
  shows(wanted: string | RegExp): Promise<void> {
    return this.#showsIn(() => this.screen, wanted);
  }

  /** Waits until it has been shown, also if it has scrolled away. */
  hasShown(wanted: string | RegExp): Promise<void> {
    return this.#showsIn(() => this.scrollback, wanted);
  }

  async close(): Promise<void> {
    this.#relay.stdin.end();
    await this.exited;
    this.#terminal.dispose();
  }

  async #showsIn(text: () => string, wanted: string | RegExp): Promise<void> {
    const isThere = () => (typeof wanted === "string" ? text().includes(wanted) : wanted.test(text()));
    await until(`the screen shows ${wanted}`, () => this.#unseen === 0 && isThere()).catch((cause) => {
      throw new Error(`The screen never showed ${wanted}:\n${this.screen}`, { cause });
    });
  }

  #do(wish: object): void {
    if (this.#relay.stdin.writable) this.#relay.stdin.write(`${JSON.stringify(wish)}\n`);
  }

  #lines(from: number, to: number): string {
    const { active } = this.#terminal.buffer;
    const lines = Array.from(
      { length: to - from },
      (_, at) => active.getLine(from + at)?.translateToString(true) ?? "",
    );
    return lines.join("\n").trimEnd();
  }
}
