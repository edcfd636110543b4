import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import xterm from "@xterm/headless";
import { inRepository } from "../repository.mjs";

const patienceMs = 60_000;

/** A program in a terminal of its own, whose screen can be read. The tests have the same, with more to it. */
export class Terminal {
  /** @param {{ command: string[], cwd: string, env: Record<string, string>, python: string, columns: number, rows: number }} options */
  constructor({ command, cwd, env, python, columns, rows }) {
    this.xterm = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
    const args = [inRepository("test/hosts/tui/pseudo_terminal.py"), String(columns), String(rows), ...command];
    this.bridge = spawn(python, args, { cwd, env, stdio: ["pipe", "pipe", "inherit"] });
    this.bridge.stdin.on("error", () => {});
    this.bridge.stdout.setEncoding("utf8").on("data", (text) => this.xterm.write(text));
    this.xterm.onData((answer) => this.type(answer));
    this.closed = once(this.bridge, "close");
  }

  /** @param {string} keys */
  type(keys) {
    this.bridge.stdin.write(`${JSON.stringify({ type: keys })}\n`);
  }

  get text() {
    const { active } = this.xterm.buffer;
    const lines = Array.from({ length: this.xterm.rows }, (_, row) => active.getLine(active.baseY + row));
    return lines.map((line) => line?.translateToString(true).trimEnd() ?? "").join("\n");
  }

  /** @param {RegExp} wanted */
  async shows(wanted) {
    const giveUpAt = Date.now() + patienceMs;
    while (!wanted.test(this.text)) {
      if (Date.now() > giveUpAt) throw new Error(`The screen never showed ${wanted}:\n${this.text}`);
      await sleep(20);
    }
  }

  async close() {
    this.bridge.stdin.end();
    await this.closed;
  }
}
