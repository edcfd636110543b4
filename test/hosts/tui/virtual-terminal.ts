import type { TerminalDevice, TerminalListener } from "../../../src/hosts/tui/terminal-device.ts";
import { TerminalScreen } from "../../terminal/terminal-screen.mjs";

/** A virtual terminal: tests read its screen and press its keys. */
export class VirtualTerminal extends TerminalScreen implements TerminalDevice {
  #listener: TerminalListener | null = null;

  get isOpen(): boolean {
    return this.#listener !== null;
  }

  override write(text: string): void {
    // As a pseudo-terminal does.
    super.write(text.replace(/\r?\n/g, "\r\n"));
  }

  open(listener: TerminalListener): void {
    this.#listener = listener;
  }

  close(): void {
    this.#listener = null;
  }

  /** Keys as a terminal sends them. */
  type(...keys: readonly string[]): void {
    for (const key of keys) this.#listener?.input(key);
  }

  paste(text: string): void {
    this.type(`\x1b[200~${text.replaceAll("\n", "\r")}\x1b[201~`);
  }

  resize(columns: number, rows: number): void {
    this.terminal.resize(columns, rows);
    this.#listener?.resized();
  }

  /** Closes its window. */
  vanish(): void {
    this.#listener?.gone();
  }
}
