import xterm from "@xterm/headless";

const timeoutMs = 20_000;

/** A terminal's screen, which can be read cell by cell. */
export class TerminalScreen {
  /** @readonly */
  terminal;
  /** Everything ever written to it. */
  written = "";
  #unseen = 0;
  /** @type {Set<() => void>} */
  #watchers = new Set();

  /** @param {{ readonly columns?: number | undefined, readonly rows?: number | undefined }} [size] */
  constructor({ columns = 80, rows = 24 } = {}) {
    this.terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
    this.terminal.onResize(() => this.#look());
  }

  get columns() {
    return this.terminal.cols;
  }

  get rows() {
    return this.terminal.rows;
  }

  /** @param {string} text */
  write(text) {
    this.written += text;
    this.#unseen += 1;
    this.terminal.write(text, () => {
      this.#unseen -= 1;
      this.#look();
    });
  }

  /** The visible lines, without blanks at their ends and blank lines at the end. */
  get screen() {
    return this.#lines(this.terminal.buffer.active.baseY, this.rows);
  }

  /** The same with all scrolled-away lines. */
  get scrollback() {
    return this.#lines(0, this.terminal.buffer.active.length);
  }

  get cursor() {
    const { cursorX, cursorY } = this.terminal.buffer.active;
    return { row: cursorY, column: cursorX };
  }

  get isOwnScreen() {
    return this.terminal.buffer.active.type === "alternate";
  }

  /**
   * A visible cell.
   * @param {number} row
   * @param {number} column
   */
  cell(row, column) {
    const { active } = this.terminal.buffer;
    return /** @type {xterm.IBufferCell} */ (active.getLine(active.baseY + row)?.getCell(column));
  }

  /**
   * Waits until the screen shows the text.
   * @param {string | RegExp} wanted
   */
  shows(wanted) {
    return this.#waitFor(wanted, () => this.screen);
  }

  /**
   * Waits until the text has been shown, even if it has scrolled away.
   * @param {string | RegExp} wanted
   */
  hasShown(wanted) {
    return this.#waitFor(wanted, () => this.scrollback);
  }

  /**
   * Waits until the text was written, in any style.
   * @param {string} wanted
   * @param {number} since the number of characters written before
   */
  hasWritten(wanted, since) {
    return this.#waitFor(wanted, () => this.written.slice(since));
  }

  /**
   * @param {string | RegExp} wanted
   * @param {() => string} text
   * @returns {Promise<void>}
   */
  #waitFor(wanted, text) {
    // Created here, so that its stack names the waiting line.
    const failure = new Error();
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        this.#watchers.delete(look);
        failure.message = `The terminal never showed ${wanted}:\n${this.screen}`;
        reject(failure);
      }, timeoutMs);
      const look = () => {
        const now = text();
        if (this.#unseen > 0 || !(typeof wanted === "string" ? now.includes(wanted) : wanted.test(now))) return;
        clearTimeout(giveUp);
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }

  #look() {
    if (this.#unseen === 0) for (const look of this.#watchers) look();
  }

  /**
   * @param {number} from
   * @param {number} count
   */
  #lines(from, count) {
    const { active } = this.terminal.buffer;
    const lines = Array.from({ length: count }, (_, at) => active.getLine(from + at)?.translateToString() ?? "");
    return lines
      .map((line) => line.trimEnd())
      .join("\n")
      .trimEnd();
  }
}
