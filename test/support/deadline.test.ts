import { describe, expect, test } from "vitest";
import { deadlineAfter } from "../../src/support/deadline.ts";

const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(signal.reason), { once: true }));

describe("a deadline", () => {
  test("aborts when the time is up, and reports a timeout", async () => {
    using deadline = deadlineAfter(5);
    expect(await aborted(deadline.signal)).toMatchObject({ name: "TimeoutError" });
    expect(deadline.hasPassed).toBe(true);
  });

  test("aborts with the reason of whichever signal comes first", async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    using deadline = deadlineAfter(60_000, undefined, first.signal, second.signal);
    const reason = aborted(deadline.signal);
    second.abort("enough");
    first.abort("too late");
    expect(await reason).toBe("enough");
    expect(deadline.hasPassed).toBe(false);
  });

  test("aborts at once when a signal was aborted before", () => {
    using deadline = deadlineAfter(60_000, AbortSignal.abort("before"));
    expect(deadline.signal.reason).toBe("before");
  });

  test("does nothing after it was disposed", () => {
    const controller = new AbortController();
    const deadline = deadlineAfter(60_000, controller.signal);
    deadline[Symbol.dispose]();
    controller.abort();
    expect(deadline.signal.aborted).toBe(false);
  });
});
