/**
 * Lines that stay below everything else that is printed on a terminal: they are taken away before something is written,
 * and come back after it. Each of them fits into a row.
 */
export class Footer {
  #lines: readonly string[] = [];
  #drawn = 0;

  /** Shown with what is written next. */
  set lines(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** What takes it off the screen; the cursor is then where the footer began. */
  hide(): string {
    const rows = this.#drawn;
    this.#drawn = 0;
    return rows === 0 ? "" : `\u001b[${rows}A\r\u001b[J`;
  }

  /** What puts it there. Has to be called where a line begins. */
  show(): string {
    this.#drawn = this.#lines.length;
    return this.#lines.map((line) => `${line}\n`).join("");
  }
}
