import { sayCount } from "../../support/say-count.ts";
import type { Key } from "./keys.ts";

/** Two Ctrl-C within this time leave the console. */
const twiceMs = 1000;

/** How many variables would be lost; `unknown` where the kernel cannot count them. */
export type Held = number | "unknown";

export interface LeavingOptions {
  /** Whether anything runs, including background executions. */
  isBusy(): boolean;
  /** How many variables would be lost; 0 when no confirmation is needed. */
  held(): Promise<Held>;
  leave(): void;
  /** Called when a question is ready to show. */
  onChange(): void;
}

/** The name in `exit`, `exit()`, `quit(0)` and the like; null for other code. */
export function nameToLeave(typed: string): string | null {
  return /^\s*(exit|quit)\s*(?:\(\s*\d*\s*\))?\s*;?\s*$/.exec(typed)?.[1] ?? null;
}

const answers: ReadonlySet<string> = new Set(["y", "n", "ctrl+d", "ctrl+c", "enter", "escape"]);

/** Decides when Ctrl-C and Ctrl-D leave, and when to ask first. */
export class Leaving {
  readonly #options: LeavingOptions;
  #state: "staying" | "counting" | "asking" = "staying";
  #held: Held = 0;
  #lastCtrlC = Number.NEGATIVE_INFINITY;
  /** A person who presses Ctrl-C twice may only want to stop a cell. */
  #hasStoppedSomething = false;

  constructor(options: LeavingOptions) {
    this.#options = options;
  }

  /** The question to answer with y or n before anything else; null when there is none. */
  get question(): string | null {
    if (this.#state !== "asking") return null;
    // The cell may have ended since the question came up.
    if (this.#options.isBusy()) return "Something is still running. Leave the console and end it? [y/N]";
    if (this.#held === "unknown") return "Python may hold variables. Leave? [y/N]";
    return this.#held === 0
      ? "Leave the console? [y/N]"
      : `Python holds ${sayCount(this.#held, "variable")}. Leave? [y/N]`;
  }

  /** A second Ctrl-D counts as y. Returns false for a key that is no answer: the user continues typing, and stays. */
  answer(key: Key): boolean {
    this.#state = "staying";
    const typed = key.type === "key" ? key.name : key.type === "text" ? key.text.toLowerCase() : null;
    if (typed === "y" || typed === "ctrl+d") this.#options.leave();
    return typed !== null && answers.has(typed);
  }

  /** Called for any key other than Ctrl-C. */
  forgetCtrlC(): void {
    this.#lastCtrlC = Number.NEGATIVE_INFINITY;
  }

  /** True for the second of two. @param stops whether the first one interrupts a cell */
  isSecondCtrlC({ stops }: { readonly stops: boolean }): boolean {
    const now = performance.now();
    const isSecond = now - this.#lastCtrlC < twiceMs;
    this.#lastCtrlC = now;
    if (isSecond) void this.#wantToLeave({ isSure: !this.#hasStoppedSomething });
    this.#hasStoppedSomething = stops;
    return isSecond;
  }

  /** Ctrl-D, or `exit` and the like. */
  ctrlD(): void {
    if (this.#state === "counting") this.#options.leave();
    else void this.#wantToLeave({ isSure: true });
  }

  async #wantToLeave({ isSure }: { readonly isSure: boolean }): Promise<void> {
    if (this.#state === "counting") return;
    this.#state = "counting";
    // A busy Python cannot count its variables, and the other question matters more.
    this.#held = this.#options.isBusy() ? "unknown" : await this.#options.held().catch(() => "unknown" as const);
    if (isSure && this.#held === 0 && !this.#options.isBusy()) return this.#options.leave();
    this.#state = "asking";
    this.#options.onChange();
  }
}
