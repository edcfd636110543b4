import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import type { KernelEvent } from "../../src/kernel/events.ts";
import { type RunCellOptions, runCell } from "../../src/session/cell/run-cell.ts";
import { dies, interrupted, type Script, scriptedKernel } from "./scripted-kernel.ts";

const never = new AbortController().signal;

function run(script: Script, options: Partial<RunCellOptions> = {}) {
  const defaults = { signal: never, time: { leftMs: Number.POSITIVE_INFINITY }, onEvent: () => {} };
  return runCell(scriptedKernel(script), "", { ...defaults, ...options });
}

const print = { type: "stream", name: "stdout", text: "working" } as const;
const raise = { type: "error", name: "ValueError", message: "no", traceback: ["ValueError: no"] } as const;
const ask = { type: "stdin", prompt: "Name: ", password: false } as const;

test("timers and sockets have their turn while a flood of output is taken in", async () => {
  let turns = 0;
  let taken = "";
  const count = (): void => {
    turns += 1;
    turn = setImmediate(count);
  };
  let turn = setImmediate(count);
  const flood = "😀 and text ".repeat(100_000);
  await run(
    async function* () {
      yield { ...print, text: flood };
      for (let event = 0; event < 1000; event++) yield print;
    },
    {
      onEvent(event) {
        if (event.type === "stream") taken += /\p{Surrogate}/u.test(event.text) ? "cut" : event.text;
      },
    },
  );
  clearImmediate(turn);
  expect(turns).toBeGreaterThan(flood.length / 64_000);
  expect(taken).toBe(flood + print.text.repeat(1000));
});

describe("the verdict on a cell", () => {
  test("ok, with its count", async () => {
    expect(await run(async function* () {})).toMatchObject({ status: "ok", executionCount: 1, error: null });
  });

  test("timeout, for every reaction of the cell to the interrupt", async () => {
    const verdict = await run(
      async function* (options) {
        await interrupted(options);
        yield raise;
      },
      { time: { leftMs: 1 } },
    );
    expect(verdict).toMatchObject({ status: "timeout", error: { name: "ValueError" } });
  });

  test("no timeout while a user is asked, and none after the cell has ended", async () => {
    vi.useFakeTimers();
    try {
      const time = { leftMs: 1000 };
      const answer = async (): Promise<string> => {
        await vi.advanceTimersByTimeAsync(60_000);
        return "Ada";
      };
      const verdict = await run(
        async function* (options) {
          const answered = options.answer?.("Name: ", false, never);
          yield ask;
          yield { type: "stream", name: "stdout", text: (await answered) ?? "" };
        },
        { time, answer },
      );
      expect(verdict).toMatchObject({ status: "ok", stdinRequested: false });
      expect(time.leftMs).toBeGreaterThan(0);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test("no timeout while the kernel has the clock stopped", async () => {
    const verdict = await run(
      async function* () {
        yield { type: "clock", running: false };
        await sleep(100);
      },
      { time: { leftMs: 50 } },
    );
    expect(verdict.status).toBe("ok");
  });

  test("no timeout for a cell that ended in time, however long its last output takes to be shown", async () => {
    const verdict = await run(async function* () {}, {
      time: { leftMs: 50 },
      onEvent: async (event) => {
        if (event.type === "done") await sleep(100);
      },
    });
    expect(verdict.status).toBe("ok");
  });

  test("cancelled, when the caller aborts", async () => {
    const abort = new AbortController();
    const verdict = await run(
      async function* (options) {
        yield print;
        abort.abort();
        await interrupted(options);
      },
      { signal: abort.signal },
    );
    expect(verdict.status).toBe("cancelled");
  });

  test("cancelled before it begins, when the caller has aborted before", async () => {
    const events: KernelEvent[] = [];
    const signal = AbortSignal.abort();
    const verdict = await run(async function* () {}, { signal, onEvent: (event) => void events.push(event) });
    expect(verdict.status).toBe("cancelled");
    expect(events).toEqual([]);
  });

  test("failed, when the kernel dies, with the reason", async () => {
    const verdict = await run(async function* () {
      yield print;
      throw dies("It is gone.");
    });
    expect(verdict).toMatchObject({ status: "failed", kernelError: { message: "It is gone." } });
  });

  test("timeout, also when the kernel did not survive being stopped", async () => {
    const verdict = await run(
      async function* (options) {
        yield print;
        await interrupted(options);
        throw dies("It had to be ended.");
      },
      { time: { leftMs: 1 } },
    );
    expect(verdict).toMatchObject({ status: "timeout", kernelError: { message: "It had to be ended." } });
  });

  test("error, when it asked for input without a user to answer, even if Python did not fail", async () => {
    const verdict = await run(async function* () {
      yield ask;
    });
    expect(verdict).toMatchObject({ status: "error", stdinRequested: true, error: { name: "InputNotAvailable" } });
  });

  test("error with what Python raised, when the empty answer led to that", async () => {
    const kernel = scriptedKernel(async function* () {});
    const execute = async function* (): AsyncGenerator<KernelEvent> {
      yield* [ask, raise, { type: "done", outcome: "error", executionCount: 1 }] as const;
    };
    const verdict = await runCell({ ...kernel, execute }, "", {
      signal: never,
      time: { leftMs: 1000 },
      onEvent: () => {},
    });
    expect(verdict).toMatchObject({ status: "error", stdinRequested: true, error: { name: "ValueError" } });
  });
});

describe("while a cell runs", () => {
  test("the next event is taken only when the last one has been shown", async () => {
    const order: string[] = [];
    await run(
      async function* () {
        for (const text of ["a", "b"]) {
          order.push(`tells ${text}`);
          yield { type: "stream", name: "stdout", text };
        }
      },
      {
        async onEvent(event) {
          if (event.type !== "stream") return;
          await sleep(5);
          order.push(`shown ${event.text}`);
        },
      },
    );
    expect(order).toEqual(["tells a", "shown a", "tells b", "shown b"]);
  });

  test("a question is asked only when everything before it has been shown", async () => {
    const order: string[] = [];
    await run(
      async function* ({ answer }) {
        // As a kernel does: the question is put the moment it comes, ahead of events that wait.
        const answered = answer?.("Name: ", false, never);
        yield { type: "stream", name: "stdout", text: "Hello" };
        yield ask;
        order.push(`answered ${await answered}`);
      },
      {
        async onEvent(event) {
          await sleep(5);
          order.push(event.type);
        },
        async answer(prompt) {
          order.push(`asks ${prompt}`);
          return "Ada";
        },
      },
    );
    expect(order).toEqual(["started", "stream", "stdin", "asks Name: ", "answered Ada", "done"]);
  });

  test("an exception of the reader ends the run", async () => {
    const onEvent = () => {
      throw new Error("The screen is broken.");
    };
    await expect(run(async function* () {}, { onEvent })).rejects.toThrow("The screen is broken.");
  });
});
