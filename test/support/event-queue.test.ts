import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { EventQueue } from "../../src/support/event-queue.ts";

function queueOfTexts(limit: number) {
  const pressure: boolean[] = [];
  const taken: string[] = [];
  const queue = new EventQueue<string>({
    limit,
    weigh: (text) => text.length,
    onPressure: (full) => pressure.push(full),
    onTaken: (text) => taken.push(text),
  });
  return { queue, pressure, taken };
}

const event = (value: string) => ({ done: false, value });
const end = { done: true, value: undefined };

test("events come in order, whether they or the consumer come first", async () => {
  const sizes = fc.array(fc.record({ pushes: fc.nat(3), takes: fc.nat(3) }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(sizes, async (rounds) => {
      const { queue, taken } = queueOfTexts(4);
      const sent: string[] = [];
      const got: string[] = [];
      let waiting: Promise<unknown> = Promise.resolve();
      const take = async (): Promise<void> => {
        const { done, value } = await queue.next();
        if (!done) got.push(value);
      };
      for (const { pushes, takes } of rounds) {
        for (let count = 0; count < takes; count += 1) waiting = waiting.then(take);
        await Promise.resolve();
        for (let count = 0; count < pushes; count += 1) {
          sent.push(`event ${sent.length}`);
          queue.push(sent.at(-1) as string);
        }
      }
      queue.end();
      await waiting;
      for (let next = await queue.next(); !next.done; next = await queue.next()) got.push(next.value);
      expect(got).toEqual(sent);
      expect(taken).toEqual(sent);
    }),
  );
});

test("a consumer that keeps up never makes the producer pause", async () => {
  const { queue, pressure, taken } = queueOfTexts(4);
  const next = queue.next();
  queue.push("longer than the limit");
  expect(taken).toEqual(["longer than the limit"]);
  expect(await next).toEqual(event("longer than the limit"));
  expect(pressure).toEqual([]);
});

test("a consumer that falls behind makes the producer pause until it has caught up", async () => {
  const { queue, pressure } = queueOfTexts(4);
  queue.push("abc");
  queue.push("def");
  expect(pressure).toEqual([true]);
  await queue.next();
  expect(pressure).toEqual([true]);
  await queue.next();
  expect(pressure).toEqual([true, false]);
});

test("what is queued comes before the end, and an error after it", async () => {
  const { queue } = queueOfTexts(4);
  queue.push("a");
  queue.end(new Error("broken"));
  queue.push("too late");
  expect(await queue.next()).toEqual(event("a"));
  await expect(queue.next()).rejects.toThrow("broken");
});

test("a waiting consumer gets the end", async () => {
  const ended = queueOfTexts(4).queue;
  const next = ended.next();
  ended.end();
  expect(await next).toEqual(end);
  const broken = queueOfTexts(4).queue;
  const failing = broken.next();
  broken.end(new Error("broken"));
  await expect(failing).rejects.toThrow("broken");
});

test("an abandoned queue drops what it has and what comes", async () => {
  const { queue, pressure, taken } = queueOfTexts(4);
  queue.push("abcdef");
  queue.abandon();
  queue.push("more");
  queue.end();
  expect(pressure).toEqual([true, false]);
  expect(await queue.next()).toEqual(end);
  expect(taken).toEqual([]);
});

test("a consumer that is always one event behind holds none of those that it has had", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const queue = new EventQueue<object>({ limit: 10, weigh: () => 1, onPressure: () => {} });
  const had: WeakRef<object>[] = [];
  queue.push({});
  for (let count = 0; count < 3000; count += 1) {
    const next = {};
    had.push(new WeakRef(next));
    queue.push(next);
    await queue.next();
  }
  await new Promise((resolve) => setTimeout(resolve, 0));
  collect();
  expect(had.filter((each) => each.deref() !== undefined).length).toBeLessThan(5);
});
