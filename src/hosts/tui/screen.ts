import { setKittyProtocolActive } from "@earendil-works/pi-tui/dist/keys.js";
import type { Terminal } from "@earendil-works/pi-tui/dist/terminal.js";
import { setCapabilities } from "@earendil-works/pi-tui/dist/terminal-image.js";
import { CURSOR_MARKER, TUI } from "@earendil-works/pi-tui/dist/tui.js";
import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui/dist/utils.js";
import { type Key, KeyReader } from "./keys.ts";
import type { TerminalDevice } from "./terminal-device.ts";

/**
 * A terminal screen: asks a view for its lines and writes only the changes to the terminal.
 *
 *     const screen = openScreen(view, { device: new RealTerminal(process.stdin, process.stdout) });
 *     screen.repaint(); // after a change: asks the view for its lines soon, once
 *     screen.close();
 *
 * Inline, the lines follow the shell's prompt, and lines that do not fit scroll away, as with any program that prints.
 * `fullScreen` uses the alternate screen, which disappears at the end; a view should return no more lines than there are rows.
 * Tests pass a virtual device: `test/hosts/tui/virtual-terminal.ts`.
 */
export interface Screen {
  readonly size: TerminalSize;
  /** Paints soon. Several calls before that paint once; without calls nothing is painted. */
  repaint(): void;
  /** Sends the terminal a query or another sequence that is not a line; the view's `reply` gets the answer. */
  write(sequence: string): void;
  /** Scrolls all existing lines, including other programs' output, out of sight and paints the view from the top. */
  scrollAway(): void;
  /** Suspends the program as Ctrl-Z does, and paints again when it resumes. */
  suspend(): void;
  /** Inline, leaves the lines in place; gives the terminal back. */
  close(): void;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
  /** The size of a cell in pixels; null where the terminal has not reported it. */
  readonly cellPixels: { readonly width: number; readonly height: number } | null;
}

/** Provides the lines, and gets the keys. */
export interface View {
  /** All lines, each at most as wide as the screen; longer lines are cut. One may contain the `cursor`. */
  render(size: TerminalSize): readonly string[];
  press(key: Key): void;
  /** How many of the last painted lines stay when an inline screen closes; all by default. */
  readonly lastingLines?: number;
  /** Called before a view is painted from its first line on a cleared screen: scrolled-away lines can no longer change. */
  beforeClearing?(): void;
  /** Gets the terminal's reply to an escape sequence. */
  reply?(sequence: string): void;
  /** The terminal's window was closed. */
  gone?(): void;
}

export interface ScreenOptions {
  readonly device: TerminalDevice & { useKeyboardProtocol?(): void };
  readonly fullScreen?: boolean | undefined;
  /** Suspends this process until it is resumed; a test has no process to suspend. */
  readonly stopProcess?: (() => void) | undefined;
}

/** Marks the terminal cursor's place within a line. */
export const cursor = CURSOR_MARKER;

export function openScreen(view: View, options: ScreenOptions): Screen {
  return new PaintedScreen(view, options);
}

const ownScreen = { begin: "\x1b[?1049h\x1b[2J\x1b[H", end: "\x1b[?1049l" };

class PaintedScreen implements Screen {
  readonly #view: View;
  readonly #options: ScreenOptions;
  #tui: TUI | null = null;
  #keys: KeyReader | null = null;
  #cellPixels: TerminalSize["cellPixels"] = null;
  #lastSize = "";
  /** The line with the terminal's cursor; -1 when it is in none. */
  #cursorLine = -1;
  #isQuiet = false;
  #isWaiting = false;
  #hasKeyboardProtocol = false;
  /** The lines of the last paint, as wanted and as they fit. */
  #fitted: ReadonlyMap<string, string> = new Map();
  /** Whether the screen shows only our own lines. */
  #fillsScreen = false;

  constructor(view: View, options: ScreenOptions) {
    this.#view = view;
    this.#options = options;
    this.#open();
  }

  get size(): TerminalSize {
    const { columns, rows } = this.#options.device;
    return { columns, rows, cellPixels: this.#cellPixels };
  }

  repaint(): void {
    if (this.#isWaiting) return;
    const caughtUp = this.#options.device.caughtUp?.() ?? null;
    if (caughtUp === null) return this.#tui?.requestRender();
    // Unread paints would pile up.
    this.#isWaiting = true;
    void caughtUp.then(() => {
      this.#isWaiting = false;
      this.repaint();
    });
  }

  write(sequence: string): void {
    if (this.#tui !== null) this.#options.device.write(sequence);
  }

  scrollAway(): void {
    if (this.#tui === null) return;
    const { device } = this.#options;
    if (!this.#eraseWhatDoesNotLast()) device.write(`\x1b[${device.rows};1H\n`);
    this.#quietly(() => this.#tui?.stop());
    // From below the lasting lines, this many line feeds scroll exactly those away, wherever they end on the screen.
    device.write(`${"\n".repeat(device.rows - 1)}\x1b[H`);
    this.#beginPainting();
  }

  suspend(): void {
    const { device } = this.#options;
    this.close();
    const resume = (): void => {
      this.#view.beforeClearing?.();
      this.#open();
    };
    if (device.suspend !== undefined) return device.suspend(resume);
    process.once("SIGCONT", resume);
    (this.#options.stopProcess ?? stopProcess)();
  }

  close(): void {
    if (this.#tui === null) return;
    const { device, fullScreen } = this.#options;
    if (fullScreen || !this.#eraseWhatDoesNotLast()) this.#tui.stop();
    else this.#quietly(() => this.#tui?.stop());
    this.#tui = null;
    if (fullScreen) device.write(ownScreen.end);
    device.close();
    this.#keys?.close();
    this.#hasKeyboardProtocol = false;
    setKittyProtocolActive(false);
  }

  /** Removes the prompt, which is useless without a program. False when the cursor's place is unknown. */
  #eraseWhatDoesNotLast(): boolean {
    const { lastingLines } = this.#view;
    if (lastingLines === undefined || this.#cursorLine < lastingLines) return false;
    const up = this.#cursorLine - lastingLines;
    // Not all at once from the first column: at the top of the screen, tmux would keep the prompt in its scrollback.
    this.#options.device.write(`${up === 0 ? "" : `\x1b[${up}A`}\r\x1b[K\x1b[C\x1b[J\r\x1b[?25h`);
    return true;
  }

  #quietly(work: () => void): void {
    this.#isQuiet = true;
    work();
    this.#isQuiet = false;
  }

  #open(): void {
    const { device, fullScreen = false } = this.#options;
    const keys = new KeyReader({ key: (key) => this.#view.press(key), reply: (sequence) => this.#hear(sequence) });
    this.#keys = keys;
    if (fullScreen) device.write(ownScreen.begin);
    device.open({
      input: (text) => {
        // The library has one for the whole process, which may serve several terminals.
        setKittyProtocolActive(this.#hasKeyboardProtocol);
        keys.read(text);
      },
      resized: () => this.repaint(),
      gone: () => this.#view.gone?.(),
    });
    this.#beginPainting();
  }

  /** Paints from the cursor's place, with nothing below it. */
  #beginPainting(): void {
    const { device, fullScreen = false } = this.#options;
    // The library would read the environment; the host decides what a terminal supports.
    setCapabilities({ images: null, trueColor: true, hyperlinks: false });
    this.#tui = new TUI(
      drawingOn(device, (text) => this.#write(text)),
      true,
    );
    this.#tui.addChild({ render: () => this.#render(), invalidate: () => {} });
    this.#lastSize = "";
    this.#fillsScreen = fullScreen;
    this.#tui.start();
  }

  #render(): string[] {
    const { columns, rows } = this.#options.device;
    const size = `${columns} × ${rows}`;
    if (this.#lastSize !== "" && this.#lastSize !== size) {
      this.#fitted = new Map();
      this.#view.beforeClearing?.();
    }
    this.#lastSize = size;
    const wanted = this.#view.render(this.size);
    this.#fitted = new Map(wanted.map((line) => [line, this.#fitted.get(line) ?? fitting(line, columns)]));
    if (wanted.length >= rows) this.#fillsScreen = true;
    this.#cursorLine = wanted.findLastIndex((line) => line.includes(cursor));
    return wanted.map((line) => this.#fitted.get(line) as string);
  }

  /** The library would clear the whole scrollback, including the output of other programs. */
  #write(text: string): void {
    if (this.#isQuiet) return;
    const { device } = this.#options;
    const [before, after] = text.split(theirClearing);
    if (after === undefined) return device.write(text);
    const keepVisible = this.#fillsScreen ? "" : `\x1b[${device.rows};1H${"\n".repeat(device.rows)}`;
    this.#fillsScreen = true;
    device.write(before + keepVisible + ourClearing + after);
  }

  #hear(sequence: string): void {
    const cell = cellSizeReply.exec(sequence);
    if (cell !== null) {
      this.#cellPixels = { height: Number(cell[1]), width: Number(cell[2]) };
      this.repaint();
    } else if (keyboardReply.test(sequence)) {
      this.#options.device.useKeyboardProtocol?.();
      this.#hasKeyboardProtocol = true;
      setKittyProtocolActive(true);
    } else {
      this.#view.reply?.(sequence);
    }
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: an answer is an escape sequence
const cellSizeReply = /^\x1b\[6;(\d+);(\d+)t$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: an answer is an escape sequence
const keyboardReply = /^\x1b\[\?\d+u$/;

const theirClearing = "\x1b[2J\x1b[H\x1b[3J";
const ourClearing = "\x1b[H\x1b[J";

/** The terminal interface that the library wants. Keys do not go through it. */
function drawingOn(device: TerminalDevice, write: (text: string) => void): Terminal {
  return {
    start() {},
    stop() {},
    async drainInput() {},
    write,
    get columns() {
      return device.columns;
    },
    get rows() {
      return device.rows;
    },
    kittyProtocolActive: false,
    moveBy: (lines) => write(lines < 0 ? `\x1b[${-lines}A` : `\x1b[${lines}B`),
    hideCursor: () => write("\x1b[?25l"),
    showCursor: () => write("\x1b[?25h"),
    clearLine: () => write("\x1b[K"),
    clearFromCursor: () => write("\x1b[J"),
    clearScreen: () => write("\x1b[2J\x1b[H"),
    setTitle() {},
    setProgress() {},
  };
}

const pictureBeginnings = ["\x1b_G", "\x1b]1337;"];
const deviceString = "\x1bP";
/** The library measures every line, except those with a picture of a kind that it knows. */
const emptyPicture = "\x1b_Ga=d,d=i,i=4294967295,q=2\x1b\\";

/** The library throws when a line is too wide. */
function fitting(line: string, columns: number): string {
  if (pictureBeginnings.some((beginning) => line.includes(beginning))) return line;
  if (line.includes(deviceString)) return line + emptyPicture;
  return visibleWidth(line) > columns ? truncateToWidth(line, columns, "") : line;
}

/** As the terminal does: suspends our whole process group, including a parent such as npm. */
function stopProcess(): void {
  process.kill(0, "SIGTSTP");
}
