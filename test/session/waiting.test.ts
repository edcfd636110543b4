import { expect, test } from "vitest";
import { noteWaiting, onBehalfOf, whoWaits, wouldWaitForItself } from "../../src/session/admission.ts";
import { deferred } from "../../src/support/deferred.ts";

test("a tool knows its calling session, even after it has awaited", async () => {
  const session = {};
  const seen = await onBehalfOf(session, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return whoWaits();
  });
  expect(seen).toBe(session);
  expect(whoWaits()).toBeUndefined();
});

test("a cycle of waiting sessions is detected at any length; it is gone when one is done", async () => {
  const [a, b, c] = [{}, {}, {}];
  const over = deferred<void>();
  expect(wouldWaitForItself(a, a)).toBe(true);
  noteWaiting(a, b, over.promise);
  noteWaiting(b, c, over.promise);
  expect(wouldWaitForItself(c, a)).toBe(true);
  expect(wouldWaitForItself(a, c)).toBe(false);
  over.resolve();
  await over.promise;
  expect(wouldWaitForItself(c, a)).toBe(false);
});

test("a session that waits for itself, which is allowed between cells, causes no endless loop", () => {
  const [a, b] = [{}, {}];
  noteWaiting(a, a, new Promise(() => {}));
  expect(wouldWaitForItself(b, a)).toBe(false);
});
