import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { PutOff } from "../../src/execute/notebook/put-off.ts";

test("work that was put off is done once: at the next turn, when it is needed, or when there is more", async () => {
  const putOff = new PutOff();
  const done: string[] = [];
  putOff.putOff(() => void done.push("at the next turn"));
  expect(done).toEqual([]);
  await nextTurn();
  expect(done).toEqual(["at the next turn"]);

  putOff.putOff(() => void done.push("needed"));
  putOff.doNow();
  putOff.doNow();
  putOff.putOff(() => void done.push("first"));
  putOff.putOff(() => void done.push("second"));
  await nextTurn();
  expect(done).toEqual(["at the next turn", "needed", "first", "second"]);
});

test("a failure at the next turn is for the run, which asks later, and not for the process", async () => {
  const putOff = new PutOff();
  putOff.putOff(() => {
    throw new Error("no place for the outputs");
  });
  await nextTurn();
  expect(() => putOff.doNow()).toThrow("no place for the outputs");
  putOff.doNow();
});
