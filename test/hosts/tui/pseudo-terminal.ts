import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import { newestPython } from "../../environment/pythons.ts";
import { TerminalScreen } from "./terminal-screen.ts";

export interface PseudoTerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  /** Beside those that every test has. */
  readonly env?: Readonly<Record<string, string>>;
  /** The Python that is first on PATH; the newest unless said otherwise. */
  readonly python?: string;
}

/** A real terminal with a program in it. What the terminal answers to questions about itself reaches the program, too. */
export class PseudoTerminal extends TerminalScreen {
  readonly folder: string;
  readonly exitCode: Promise<number | null>;
  readonly #bridge: ChildProcess;

  constructor(command: readonly string[], options: PseudoTerminalOptions = {}) {
    super(options);
    const { python = newestPython().path, env = {} } = options;
    this.folder = mkdtempSync(join(tmpdir(), "granary-pty-"));
    const script = fileURLToPath(new URL("pseudo_terminal.py", import.meta.url));
    const args = [script, String(this.columns), String(this.rows), ...command];
    this.#bridge = spawn(newestPython().path, args, {
      cwd: this.folder,
      stdio: ["pipe", "pipe", "inherit"],
      env: {
        PATH: `${dirname(python)}:/usr/local/bin:/usr/bin:/bin`,
        HOME: this.folder,
        GRANARY_HOME: join(this.folder, "home"),
        GRANARY_PYTHON_SKIP_CHECK: "1",
        LANG: "C.UTF-8",
        TERM: "xterm-256color",
        COLORTERM: "truecolor",
        ...env,
      },
    });
    this.#bridge.stdin?.on("error", () => {});
    this.#bridge.stdout?.setEncoding("utf8").on("data", (text: string) => this.write(text));
    this.terminal.onData((answer) => this.#order({ type: answer }));
    this.exitCode = once(this.#bridge, "close").then(([code]) => code as number | null);
    onTestFinished(async () => {
      this.#bridge.stdin?.end();
      await this.exitCode;
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  type(...keys: readonly string[]): void {
    this.#order({ type: keys.join("") });
  }

  /** Types a line and presses Enter. */
  enter(line: string): void {
    this.type(line, "\r");
  }

  resize(columns: number, rows: number): void {
    this.terminal.resize(columns, rows);
    this.#order({ resize: [columns, rows] });
  }

  #order(order: { type: string } | { resize: readonly [number, number] }): void {
    this.#bridge.stdin?.write(`${JSON.stringify(order)}\n`);
  }
}

/** The program as it is built. */
export const granaryCommand = [process.execPath, inRepository("bin/granary")];
