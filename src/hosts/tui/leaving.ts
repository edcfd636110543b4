import { sayCount } from "../../support/say-count.ts";
import type { Key } from "./keys.ts";

/** Two Ctrl-C within this time want to leave. */
const twiceMs = 1000;

/** How many variables would be gone; `unknown` where the kernel does not tell how many there are. */
export type Held = number | "unknown";

export interface LeavingOptions {
  /** Whether something runs, in the background, too. */
  isBusy(): boolean;
  /** What would be lost; 0 when nobody has to be asked. */
  held(): Promise<Held>;
  leave(): void;
  /** There is a question to be seen. */
  onChange(): void;
}

const answers: ReadonlySet<string> = new Set(["y", "n", "ctrl+d", "ctrl+c", "enter", "escape"]);

/** When Ctrl-C and Ctrl-D mean that somebody wants to leave, and when that has to be asked first. */
export class Leaving {
  readonly #options: LeavingOptions;
  #state: "staying" | "counting" | "asking" = "staying";
  #held: Held = 0;
  #lastCtrlC = Number.NEGATIVE_INFINITY;
  /** Somebody who hits Ctrl-C twice may only want to be sure that a cell stops. */
  #hasStoppedSomething = false;

  constructor(options: LeavingOptions) {
    this.#options = options;
  }

  /** What is to be answered with y or n before anything else; null when there is nothing. */
  get question(): string | null {
    if (this.#state !== "asking") return null;
    // What was running when it was asked may be over by now.
    if (this.#options.isBusy()) return "Something is still running. Leave the console and end it? [y/N]";
    if (this.#held === "unknown") return "Python may hold variables. Leave? [y/N]";
    return this.#held === 0
      ? "Leave the console? [y/N]"
      : `Python holds ${sayCount(this.#held, "variable")}. Leave? [y/N]`;
  }

  /**
   * A second Ctrl-D is as good as a y. Anything but a y stays, and false is returned for a key that is no answer:
   * somebody goes on typing.
   */
  answer(key: Key): boolean {
    this.#state = "staying";
    const typed = key.type === "key" ? key.name : key.type === "text" ? key.text.toLowerCase() : null;
    if (typed === "y" || typed === "ctrl+d") this.#options.leave();
    return typed !== null && answers.has(typed);
  }

  /** Another key than Ctrl-C was pressed. */
  forgetCtrlC(): void {
    this.#lastCtrlC = Number.NEGATIVE_INFINITY;
  }

  /** True for the second of two. @param stops whether the first one stops something */
  isSecondCtrlC({ stops }: { readonly stops: boolean }): boolean {
    const now = performance.now();
    const isSecond = now - this.#lastCtrlC < twiceMs;
    this.#lastCtrlC = now;
    if (isSecond) void this.#wantToLeave({ isSure: !this.#hasStoppedSomething });
    this.#hasStoppedSomething = stops;
    return isSecond;
  }

  ctrlD(): void {
    if (this.#state === "counting") this.#options.leave();
    else void this.#wantToLeave({ isSure: true });
  }

  async #wantToLeave({ isSure }: { readonly isSure: boolean }): Promise<void> {
    if (this.#state === "counting") return;
    this.#state = "counting";
    // Python that is busy does not say what it holds, and there is a better question then.
    this.#held = this.#options.isBusy() ? 0 : await this.#options.held().catch(() => "unknown" as const);
    if (isSure && this.#held === 0 && !this.#options.isBusy()) return this.#options.leave();
    this.#state = "asking";
    this.#options.onChange();
  }
}
