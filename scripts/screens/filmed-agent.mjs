import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { TerminalScreen } from "../../test/terminal/terminal-screen.mjs";

const style = { call: "\x1b[35m", code: "\x1b[34m", note: "\x1b[33m", plain: "\x1b[0m" };

/** An MCP client that writes its calls and the answers of `granary mcp` on a screen, as agents do. */
export class FilmedAgent {
  screen;
  #client = new Client({ name: "agent", version: "1.0.0" });

  /** @param {{ columns: number, rows: number }} size */
  constructor(size) {
    this.screen = new TerminalScreen(size);
  }

  /** @param {{ command: string, args: string[], cwd: string, env: Record<string, string> }} server */
  async connect(server) {
    await this.#client.connect(new StdioClientTransport({ ...server, stderr: "ignore" }));
  }

  /** @param {string} code */
  async showCall(code) {
    const lines = code.split("\n").map((line) => `  ${style.code}${line}${style.plain}\n`);
    await this.#write(`${style.call}● python${style.plain} session: sales\n${lines.join("")}`);
  }

  /** @param {string} code */
  async call(code) {
    const { content } = await this.#client.callTool({
      name: "python",
      arguments: { session: "sales", cells: [{ code }] },
    });
    const parts = /** @type {readonly { type: string, text?: string, mimeType?: string }[]} */ (content);
    const text = parts.map((part) => part.text ?? `[${part.mimeType}]`).join("\n");
    const lines = wrapped(text.replace(/\n\n+/g, "\n"), this.screen.columns - 2).split("\n");
    let isNote = false;
    const painted = lines.map((line) => {
      isNote ||= line.startsWith("Note:");
      return `  ${isNote ? style.note : ""}${line}${style.plain}`;
    });
    await this.#write(`${painted.join("\n")}\n\n`);
  }

  close() {
    return this.#client.close();
  }

  /** @param {string} text */
  #write(text) {
    return new Promise((resolve) => this.screen.terminal.write(text.replaceAll("\n", "\r\n"), () => resolve(null)));
  }
}

/**
 * Breaks long lines between words.
 * @param {string} text
 * @param {number} columns
 */
function wrapped(text, columns) {
  return text.replace(new RegExp(`(.{1,${columns}})(?: +|$)\\n?`, "gm"), "$1\n").trimEnd();
}
