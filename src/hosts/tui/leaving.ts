import type { Key } from "./keys.ts";

/** Two Ctrl-C within this time want to leave. */
const twiceMs = 1000;

export interface LeavingOptions {
  /** Whether something runs, in the background, too. */
  isBusy(): boolean;
  leave(): void;
}

/** When Ctrl-C and Ctrl-D mean that somebody wants to leave, and when that has to be asked first. */
export class Leaving {
  readonly #options: LeavingOptions;
  #isAsking = false;
  #lastCtrlC = Number.NEGATIVE_INFINITY;
  /** Somebody who hits Ctrl-C twice may only want to be sure that a cell stops. */
  #hasStoppedSomething = false;

  constructor(options: LeavingOptions) {
    this.#options = options;
  }

  /** What is to be answered with y or n before anything else; null when there is nothing. */
  get question(): string | null {
    if (!this.#isAsking) return null;
    // What was running when it was asked may be over by now.
    return this.#options.isBusy()
      ? "Something is still running. Leave the console and end it? (y/n)"
      : "Leave the console? All variables are gone then. (y/n)";
  }

  answer(key: Key): void {
    this.#isAsking = false;
    if (key.type === "text" && key.text.toLowerCase() === "y") this.#options.leave();
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
    if (isSecond) this.#wantToLeave({ isSure: !this.#hasStoppedSomething });
    this.#hasStoppedSomething = stops;
    return isSecond;
  }

  ctrlD(): void {
    this.#wantToLeave({ isSure: true });
  }

  #wantToLeave({ isSure }: { readonly isSure: boolean }): void {
    if (isSure && !this.#options.isBusy()) this.#options.leave();
    else this.#isAsking = true;
  }
}
