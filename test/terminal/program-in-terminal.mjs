import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { TerminalScreen } from "./terminal-screen.mjs";

/**
 * @typedef {object} ProgramOptions
 * @property {string} python runs the relay between us and the pseudo-terminal
 * @property {string} cwd
 * @property {Readonly<Record<string, string | undefined>>} env
 * @property {number} [columns]
 * @property {number} [rows]
 */

/** A program in a real pseudo-terminal: its screen can be read, and keys can be typed. For tests and scripts. */
export class ProgramInTerminal extends TerminalScreen {
  #relay;

  /**
   * @param {readonly string[]} command
   * @param {ProgramOptions} options
   */
  constructor(command, { python, cwd, env, ...size }) {
    super(size);
    const relay = fileURLToPath(new URL("relay.py", import.meta.url));
    this.#relay = spawn(python, [relay, String(this.columns), String(this.rows), ...command], {
      cwd,
      env,
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#relay.stdin.on("error", () => {});
    this.#relay.stdout.setEncoding("utf8").on("data", (text) => this.write(text));
    // A terminal's answers to queries for its type and its cursor.
    this.terminal.onData((answer) => this.type(answer));
    /**
     * The program's exit code; 128 and more when a signal ended it.
     * @type {Promise<number>}
     */
    this.exited = new Promise((resolve) => this.#relay.once("close", (code) => resolve(code ?? -1)));
  }

  /** @param {readonly string[]} keys */
  type(...keys) {
    this.#ask({ type: keys.join("") });
  }

  /**
   * Types a line and presses Enter.
   * @param {string} line
   */
  enter(line) {
    this.type(line, "\r");
  }

  /**
   * @param {number} columns
   * @param {number} rows
   */
  resize(columns, rows) {
    this.terminal.resize(columns, rows);
    this.#ask({ resize: [columns, rows] });
  }

  /** Closes its window, and waits for the end of the program. */
  async close() {
    this.#relay.stdin.end();
    await this.exited;
  }

  /** @param {object} wish */
  #ask(wish) {
    if (this.#relay.stdin.writable) this.#relay.stdin.write(`${JSON.stringify(wish)}\n`);
  }
}
