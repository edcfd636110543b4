import type { StreamName } from "../../kernel/events.ts";
import { moveOnScreen } from "./live-movement.ts";
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
