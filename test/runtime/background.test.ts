import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Execution } from "../../src/session/execution/execution.ts";
import { py } from "../kernel/py.ts";
import { until } from "../kernel/until.ts";
import { runtimeIn, temporaryFolder } from "./runtimes.ts";

const folder = temporaryFolder();

/** The text that it printed from a place on, by polling. */
function printed(execution: Execution, since = 0): string {
  return execution
    .poll(since)
    .map(({ event }) => (event.type === "text" ? event.text : ""))
    .join("");
}

describe("a run in the background", () => {
  test("continues without its caller, and can be polled, awaited and read by its id", async () => {
    await using granary = await runtimeIn(folder);
    const caller = new AbortController();
    const { id } = granary.session().run(
      py`
        import os, time
        print("one", flush=True)
        while not os.path.exists("go"): time.sleep(0.01)
        print("two")
      `,
      { background: true, signal: caller.signal },
    );
    caller.abort();
    const found = granary.execution(id) as Execution;
    await until("it has begun", () => printed(found) === "one\n");
    expect(found.tail(100)).toBe("one\n");
    const place = found.place;
    await granary.session("another").run("open('go', 'w').close()").result;
    expect(await found.result).toMatchObject({ status: "ok", output: "one\ntwo\n" });
    expect(printed(found, place)).toBe("two\n");
    expect(granary.execution(id)?.status).toBe("ok");
    expect(existsSync(join(folder, "go"))).toBe(true);
  });

  test("can be interrupted by its id, from anywhere", async () => {
    await using granary = await runtimeIn(folder);
    const { id } = granary.session().run("import time\ntime.sleep(600)", { background: true });
    const found = granary.execution(id) as Execution;
    await until("it runs", () => found.status === "running");
    await found.interrupt();
    expect((await found.result).cancelled).toBe(true);
  });

  test("that may outlive its caller is stopped by its caller only until it is detached", async () => {
    await using granary = await runtimeIn(folder);
    const session = granary.session();
    const caller = new AbortController();
    const wait = "import time\nwhile True: time.sleep(0.01)";
    const first = session.run(wait, { background: "later", signal: caller.signal });
    await until("it runs", () => first.status === "running");
    caller.abort();
    expect((await first.result).status).toBe("cancelled");
    const another = new AbortController();
    const second = session.run(wait, { background: "later", signal: another.signal });
    await until("it runs", () => second.status === "running");
    second.detach();
    another.abort();
    expect(second.signal.aborted).toBe(false);
    await second.interrupt();
    expect((await second.result).status).toBe("cancelled");
  });

  test("ends at a hard limit, even if its own clock is paused", async () => {
    await using granary = await runtimeIn(folder, { backgroundHours: 0.01 });
    const session = granary.session();
    await session.run("1").result;
    // As with the hours of the setting, but shorter than its minimum of 36 seconds.
    const run = session.shared.run("import time\ntime.sleep(600)", { hardLimitMs: 300 });
    const { status, output, ledger } = await run.result;
    expect({ status, state: ledger.state }).toEqual({ status: "timeout", state: "interrupted" });
    expect(output).toMatch(/Command timed out after 0.3 seconds, the longest .*python\.backgroundHours/);
  });
});

describe("a log that grew too long", () => {
  test("points to the artifact that has all of it, and a reader that is stuck does not stall Python", async () => {
    await using granary = await runtimeIn(folder);
    const execution = granary.session().run("for number in range(100_000): print('line', number)");
    const late = execution[Symbol.asyncIterator]();
    await late.next();
    const { truncation, status } = await execution.result;
    expect(status).toBe("ok");
    const [gap] = execution.poll();
    expect(gap?.event).toEqual({ type: "gap", events: expect.any(Number), artifact: truncation?.artifact });
    const { value } = await late.next();
    expect(value).toMatchObject({ type: "gap", artifact: expect.stringMatching(/^artifact:\/\//) });
  });
});
