import type { RunOptions } from "../../../session/session.ts";

/** Any browser that shows the cell, as an observer of its session. */
export const anybodyAnswers: NonNullable<RunOptions["answer"]> = (_prompt, _password, signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("The question was withdrawn.")), { once: true });
  });
