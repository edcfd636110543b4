import xterm from "@xterm/headless";
import { until } from "../../kernel/until.ts";

/** What a terminal shows for what is written to it; it can be read cell by cell. */
export class TerminalScreen {
  protected readonly terminal: xterm.Terminal;
  #pending = 0;
  /** Everything that was ever written to it. */
  written = "";

  constructor({ columns = 80, rows = 24 }: { columns?: number; rows?: number } = {}) {
    this.terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
  }

  get columns(): number {
    return this.terminal.cols;
  }

  get rows(): number {
    return this.terminal.rows;
  }

  write(text: string): void {
    this.written += text;
    this.#pending += 1;
    this.terminal.write(text, () => {
      this.#pending -= 1;
    });
  }

  /** The visible lines, without blanks at their ends and blank lines at the end. */
  get screen(): string {
    return this.#lines(this.terminal.buffer.active.baseY, this.rows);
  }

  /** The same with everything that has scrolled away. */
  get scrollback(): string {
    return this.#lines(0, this.terminal.buffer.active.length);
  }

  get cursor(): { readonly row: number; readonly column: number } {
    const { cursorX, cursorY } = this.terminal.buffer.active;
    return { row: cursorY, column: cursorX };
  }

  get isOwnScreen(): boolean {
    return this.terminal.buffer.active.type === "alternate";
  }

  /** A visible cell. */
  cell(row: number, column: number): xterm.IBufferCell {
    const { active } = this.terminal.buffer;
    return active.getLine(active.baseY + row)?.getCell(column) as xterm.IBufferCell;
  }

  /** Waits until the screen shows it. */
  async shows(wanted: string | RegExp): Promise<void> {
    const isThere = () => (typeof wanted === "string" ? this.screen.includes(wanted) : wanted.test(this.screen));
    await until(`the screen shows ${wanted}`, () => this.#pending === 0 && isThere()).catch((cause) => {
      throw new Error(`The screen never showed ${wanted}:\n${this.screen}`, { cause });
    });
  }

  #lines(from: number, count: number): string {
    const { active } = this.terminal.buffer;
    const lines = Array.from({ length: count }, (_, at) => active.getLine(from + at)?.translateToString() ?? "");
    return lines
      .map((line) => line.trimEnd())
      .join("\n")
      .trimEnd();
  }
}
