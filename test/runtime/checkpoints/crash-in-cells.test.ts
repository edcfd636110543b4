import { afterAll, expect, test } from "vitest";
import { createRuntime } from "../../../src/runtime/runtime.ts";
import { deferred } from "../../../src/support/deferred.ts";
import { endlessCells } from "../../kernel/runner/interrupts/interrupt-stress.ts";
import { environmentIn, temporaryFolder } from "../runtimes.ts";

const folder = temporaryFolder();
const settings = { python: { checkpoints: "always" as const } };
const granary = await createRuntime({ cwd: folder, env: environmentIn(folder), settings, trust: true });
const session = granary.session();
await session.run("kept = [1]").result;
afterAll(() => granary.close());

const cells: Readonly<Record<string, string>> = {
  ...endlessCells,
  "C code that never looks at signals": "sum(range(10**15))",
  "large prints": "while True: print('x' * 5_000_000)",
  "several threads":
    "import threading, time\nfor _ in range(5): threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()\ntime.sleep(1000)",
};

test.each(Object.entries(cells))("a kernel that is killed in %s is restored", async (_, code) => {
  const answer = (): Promise<string> => new Promise(() => undefined);
  const begun = deferred<void>();
  const onEvent = (): void => begun.resolve(undefined);
  const run = session.run(`print("begun", flush=True); kept.append(2)\n${code}`, { answer, onEvent });
  await begun.promise;
  process.kill(session.shared.info?.pid ?? 0, "SIGKILL");
  const { status, ledger } = await run.result;
  expect({ status, state: ledger.state, to: ledger.restoredTo }).toEqual({
    status: "failed",
    state: "restored",
    to: 1,
  });
  expect(await session.variables()).toMatchObject({ variables: [{ name: "kept", value: "[1]" }], total: 1 });
});
