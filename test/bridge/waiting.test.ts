import { expect, test } from "vitest";
import { noteWaiting, onBehalfOf, whoWaits, wouldWaitForItself } from "../../src/bridge/waiting.ts";
import { deferred } from "../../src/support/deferred.ts";

test("a tool knows on whose behalf it works, also after it has waited for something", async () => {
  const session = {};
  const seen = await onBehalfOf(session, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return whoWaits();
  });
  expect(seen).toBe(session);
  expect(whoWaits()).toBeUndefined();
});

test("who waits for somebody who waits for him would wait for ever, however long the way; when one is done, no more", async () => {
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

test("one who waits for himself, which may be right between cells, sends nobody in circles", () => {
  const [a, b] = [{}, {}];
  noteWaiting(a, a, new Promise(() => {}));
  expect(wouldWaitForItself(b, a)).toBe(false);
});
