import { useEffect, useState } from "preact/hooks";

/** An answer of the server, or the sentence of its refusal. */
export interface AskedAnswer<T> {
  readonly answer: T | null;
  readonly problem: string | null;
}

/** Asks at once, and again when `when` changes. The last answer stays until the next one is there. */
export function useQuestion<T>(ask: (signal: AbortSignal) => Promise<T>, when: readonly unknown[]): AskedAnswer<T> {
  const [asked, setAsked] = useState<AskedAnswer<T>>({ answer: null, problem: null });
  useEffect(() => {
    const stop = new AbortController();
    ask(stop.signal).then(
      (answer) => stop.signal.aborted || setAsked({ answer, problem: null }),
      (error: Error) => stop.signal.aborted || setAsked((before) => ({ ...before, problem: error.message })),
    );
    return () => stop.abort();
  }, when);
  return asked;
}
