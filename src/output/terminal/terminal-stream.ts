import type { StreamName } from "../../kernel/events.ts";
import type { ScreenLines } from "./screen-lines.ts";
import { type VtHandler, VtParser } from "./vt-parser.ts";

/** A live reader: gets the text and, between texts, harmless movements and colours. */
export interface Watcher {
  readonly hasListeners: boolean;
  text(name: StreamName, text: string): void;
  move(name: StreamName, sequence: string): void;
}

/**
 * One of the two streams of an execution. Both write on the same screen, as on a terminal, but half a sequence on one
 * must not swallow text on the other.
 */
export class TerminalStream implements VtHandler {
  readonly #name: StreamName;
  readonly #screen: ScreenLines;
  readonly #live: Watcher;
  readonly #keepsColour: boolean;
  readonly #parser = new VtParser();
  #isColoured = false;

  constructor(name: StreamName, to: { screen: ScreenLines; live: Watcher; keepsColour: boolean }) {
    this.#name = name;
    this.#screen = to.screen;
    this.#live = to.live;
    this.#keepsColour = to.keepsColour;
  }

  write(text: string): void {
    this.#parser.feed(text, this);
  }

  end(): void {
    this.#parser.end(this);
    if (this.#isColoured) this.#move("\x1b[0m");
  }

  text(text: string): void {
    this.#screen.text(text);
    this.#live.text(this.#name, text);
  }

  carriageReturn(): void {
    this.#screen.carriageReturn();
    this.#move("\r");
  }

  backspace(): void {
    this.#screen.backspace();
    this.#move("\b");
  }

  sequence(final: string, parameters: string): void {
    if (final === "m") this.#colour(parameters);
    else if (this.#live.hasListeners) this.#move(moveOnScreen(this.#screen, final, parameters));
    else this.#screen.sequence(final, parameters);
  }

  #colour(parameters: string): void {
    if (!this.#keepsColour) return;
    this.#isColoured = !/^0*$/.test(parameters);
    this.#move(`\x1b[${parameters}m`);
  }

  #move(sequence: string): void {
    if (sequence !== "") this.#live.move(this.#name, sequence);
  }
}

/**
 * Does on the screen what a control sequence says, and returns what a watching terminal has to do to see it: the same
 * movement, but never beyond the lines of this output, so that no program can write over what is not its own.
 */
function moveOnScreen(screen: ScreenLines, final: string, parameters: string): string {
  switch (final) {
    case "A":
    case "B":
      return vertically(screen.sequence(final, parameters));
    case "C":
    case "D":
    case "E":
    case "F":
    case "G":
    case "H":
    case "f":
      return vertically(screen.sequence(final, parameters)) + toColumn(screen.column);
    case "J":
    case "K":
      return erase(screen, final, parameters);
    default:
      return "";
  }
}

/** From the end of everything to where the cursor is. */
export function backToCursor(screen: ScreenLines): string {
  if (screen.isAtEnd) return "";
  return vertically(-screen.rowsBelow) + toColumn(screen.column);
}

function erase(screen: ScreenLines, final: "J" | "K", parameters: string): string {
  const rowsAbove = final === "J" ? screen.rowsAbove : [];
  screen.sequence(final, parameters);
  const which = Number.parseInt(parameters, 10) || 0;
  if (which > 2) return "";
  if (final === "K") return `\x1b[${which}K`;
  if (which === 0) return "\x1b[J";
  // Line by line, because a terminal would not stop at our first one.
  return which === 1 ? `${eraseRows(rowsAbove)}\x1b[1K` : `${eraseRows(rowsAbove)}\x1b[2K\x1b[J`;
}

/** Erases those rows above the cursor that have something on them, and comes back. */
function eraseRows(rows: readonly boolean[]): string {
  const first = rows.indexOf(true);
  if (first === -1) return "";
  let sequence = vertically(first - rows.length);
  let blanks = 0;
  for (const hasText of rows.slice(first)) {
    if (hasText) {
      sequence += `${vertically(blanks)}\x1b[2K`;
      blanks = 0;
    }
    blanks++;
  }
  return sequence + vertically(blanks);
}

function vertically(rows: number): string {
  if (rows === 0) return "";
  return rows < 0 ? `\x1b[${-rows}A` : `\x1b[${rows}B`;
}

const toColumn = (column: number): string => `\x1b[${column + 1}G`;
