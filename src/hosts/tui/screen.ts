import { setKittyProtocolActive } from "@earendil-works/pi-tui/dist/keys.js";
import type { Terminal } from "@earendil-works/pi-tui/dist/terminal.js";
import { setCapabilities } from "@earendil-works/pi-tui/dist/terminal-image.js";
import { CURSOR_MARKER, TUI } from "@earendil-works/pi-tui/dist/tui.js";
import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui/dist/utils.js";
import { type Key, KeyReader } from "./keys.ts";
import type { TerminalDevice } from "./terminal-device.ts";

/**
 * The screen of a program that draws: a view is asked for its lines, and only what changed is written to the terminal.
 *
 *     const screen = openScreen(view, { device: new RealTerminal(process.stdin, process.stdout) });
 *     screen.repaint(); // whenever something has changed: the view is asked for its lines soon, once
 *     screen.close();
 *
 * Inline, the lines follow the shell's prompt and those that do not fit scroll away, as with any program that prints.
 * `fullScreen` has a screen of its own, which is gone at the end; a view should give no more lines than there are rows.
 * Tests hand in a device without a window: `test/hosts/tui/virtual-terminal.ts`.
 */
export interface Screen {
  readonly size: TerminalSize;
  /** Paints soon. Many calls before that are one, and nothing is painted while nobody calls. */
  repaint(): void;
  /** Sends the terminal something that is no line, such as a question about itself; the answer is the view's `reply`. */
  write(sequence: string): void;
  /** Everything that lasts, of others too, scrolls out of sight, and the view is painted from the top of the screen. */
  scrollAway(): void;
  /** Stops the program as Ctrl-Z does, and paints anew when it goes on. */
  suspend(): void;
  /** Leaves what is there to be read, inline, and gives the terminal back. */
  close(): void;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
  /** What a cell measures in pixels; null where the terminal has not said. */
  readonly cellPixels: { readonly width: number; readonly height: number } | null;
}

/** What is shown, and who is told what is typed. */
export interface View {
  /** All lines, each at most as wide as the screen; a longer one is cut. One may have the `cursor` in it. */
  render(size: TerminalSize): readonly string[];
  press(key: Key): void;
  /** How many of the lines that were painted last stay when an inline screen is closed; all by default. */
  readonly lastingLines?: number;
  /** Told before a view is painted from its first line, on cleared ground: all that has scrolled away is out of reach. */
  beforeClearing?(): void;
  /** What the terminal answers when it was asked for something by an escape sequence. */
  reply?(sequence: string): void;
  /** The terminal's window was closed. */
  gone?(): void;
}

export interface ScreenOptions {
  readonly device: TerminalDevice & { useKeyboardProtocol?(): void };
  readonly fullScreen?: boolean | undefined;
  /** Stops this process until somebody lets it go on; a test has no process to stop. */
  readonly stopProcess?: (() => void) | undefined;
}

/** Where the terminal's cursor is to be, in the middle of a line. */
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
  /** The line that the terminal's cursor is in; -1 when it is in none. */
  #cursorLine = -1;
  #isQuiet = false;
  /** The lines of the last picture of the screen, as they are wanted and as they fit. */
  #fitted: ReadonlyMap<string, string> = new Map();
  /** Whether nothing but our own lines can be seen. */
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
    this.#tui?.requestRender();
  }

  write(sequence: string): void {
    if (this.#tui !== null) this.#options.device.write(sequence);
  }

  scrollAway(): void {
    if (this.#tui === null) return;
    const { device } = this.#options;
    if (!this.#eraseWhatDoesNotLast()) device.write(`\x1b[${device.rows};1H\n`);
    this.#quietly(() => this.#tui?.stop());
    // From below what lasts, so many scroll exactly that away, wherever on the screen it ends.
    device.write(`${"\n".repeat(device.rows - 1)}\x1b[H`);
    this.#beginPainting();
  }

  suspend(): void {
    this.close();
    process.once("SIGCONT", () => {
      this.#view.beforeClearing?.();
      this.#open();
    });
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
    setKittyProtocolActive(false);
  }

  /** A prompt without a program would only be in the way. False when the cursor is nowhere from which to find it. */
  #eraseWhatDoesNotLast(): boolean {
    const { lastingLines } = this.#view;
    if (lastingLines === undefined || this.#cursorLine < lastingLines) return false;
    const up = this.#cursorLine - lastingLines;
    // Not all at once from the first column: at the top of the screen, tmux would keep it in its scrollback.
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
      input: (text) => keys.read(text),
      resized: () => this.repaint(),
      gone: () => this.#view.gone?.(),
    });
    this.#beginPainting();
  }

  /** Where the terminal's cursor is, with nothing below it. */
  #beginPainting(): void {
    const { device, fullScreen = false } = this.#options;
    // The library would ask the environment; what a terminal can do is for the host to say.
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

  /** The library clears the whole scrollback, which has what the shell and other programs have written. */
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

/** The library's idea of a terminal. Keys do not go through it. */
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
/** The library measures every line that has no picture of a kind it knows. */
const emptyPicture = "\x1b_Ga=d,d=i,i=4294967295,q=2\x1b\\";

/** The library refuses to go on when a line is too wide. */
function fitting(line: string, columns: number): string {
  if (pictureBeginnings.some((beginning) => line.includes(beginning))) return line;
  if (line.includes(deviceString)) return line + emptyPicture;
  return visibleWidth(line) > columns ? truncateToWidth(line, columns, "") : line;
}

/** As the terminal itself would: everybody in our process group is stopped, a parent such as npm too. */
function stopProcess(): void {
  process.kill(0, "SIGTSTP");
}
