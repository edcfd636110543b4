import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** A terminal that takes output and sends keys. Tests use a virtual one. */
export interface TerminalDevice {
  readonly columns: number;
  readonly rows: number;
  write(text: string): void;
  /** Switches to raw mode: every key arrives at once and nothing is echoed. */
  open(listener: TerminalListener): void;
  /** Restores the terminal. */
  close(): void;
  /** A promise while the terminal takes no more output; missing where that is not known. */
  caughtUp?(): Promise<void> | null;
  /** Suspends the program at the terminal, as Ctrl-Z does; missing for the terminal of this process. */
  suspend?(resumed: () => void): void;
}

export interface TerminalListener {
  input(text: string): void;
  resized(): void;
  /** Called when the terminal's window was closed. */
  gone(): void;
}

type Keyboard = Readable & { setRawMode?(raw: boolean): void };
type Display = Writable & { readonly columns?: number | undefined; readonly rows?: number | undefined };

const begin = {
  /** Bracketed paste, which tells pasted text from keys. */
  bracketedPaste: "\x1b[?2004h",
  /** Terminals that can tell Shift-Enter from Enter answer this query. */
  askForKeyboardProtocol: "\x1b[?u",
  /** Asks for the size of a cell in pixels, for pictures. */
  askForCellSize: "\x1b[16t",
};
const useKeyboardProtocol = "\x1b[>1u";
const end = { bracketedPaste: "\x1b[?2004l", keyboardProtocol: "\x1b[<u", showCursor: "\x1b[?25h" };

/** The terminal of this process. */
export class RealTerminal implements TerminalDevice {
  readonly #keyboard: Keyboard;
  readonly #display: Display;
  #close: (() => void) | null = null;
  #hasKeyboardProtocol = false;
  #isGone = false;

  constructor(keyboard: Keyboard, display: Display) {
    this.#keyboard = keyboard;
    this.#display = display;
    // A closed terminal reports an error even for the last write, possibly after all listeners are gone.
    keyboard.on("error", () => {});
    display.on("error", () => {});
  }

  /** Whether its window was closed. */
  get isGone(): boolean {
    return this.#isGone;
  }

  // A terminal of unknown size reports 0.
  get columns(): number {
    return this.#display.columns || 80;
  }

  get rows(): number {
    return this.#display.rows || 24;
  }

  write(text: string): void {
    this.#display.write(text);
  }

  open(listener: TerminalListener): void {
    const decoder = new StringDecoder("utf8");
    // Input from before raw mode went through the terminal's line editor, which turns Enter into `\n`.
    let isTypedAhead = true;
    const take = (chunk: Buffer | string): void => {
      const text = decoder.write(chunk as Buffer);
      listener.input(isTypedAhead ? text.replaceAll("\n", "\r") : text);
      isTypedAhead = false;
    };
    const gone = (): void => {
      this.#isGone = true;
      listener.gone();
    };
    const resized = (): void => listener.resized();
    const restore = (): void => this.close();
    this.#keyboard.setRawMode?.(true);
    this.#keyboard.on("data", take).on("end", gone).on("error", gone).resume();
    this.#display.on("resize", resized).on("error", gone);
    // Restore the terminal for the shell on every exit, and before an error is printed.
    process.on("exit", restore).on("uncaughtExceptionMonitor", restore);
    this.#close = () => {
      process.off("exit", restore).off("uncaughtExceptionMonitor", restore);
      this.#keyboard.off("data", take).off("end", gone).off("error", gone).pause();
      this.#display.off("resize", resized).off("error", gone);
      this.#keyboard.setRawMode?.(false);
    };
    this.write(Object.values(begin).join(""));
  }

  /** Called by the screen when the terminal reports support. */
  useKeyboardProtocol(): void {
    if (this.#hasKeyboardProtocol || this.#close === null) return;
    this.#hasKeyboardProtocol = true;
    this.write(useKeyboardProtocol);
  }

  close(): void {
    if (this.#close === null) return;
    const close = this.#close;
    this.#close = null;
    this.write(end.bracketedPaste + (this.#hasKeyboardProtocol ? end.keyboardProtocol : "") + end.showCursor);
    this.#hasKeyboardProtocol = false;
    close();
  }
}
