import { getEventListeners } from "node:events";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { nothingCaptured } from "../../src/output/capture.ts";
import { runCell } from "../../src/session/cell/run-cell.ts";
import { Execution } from "../../src/session/execution/execution.ts";
import { notRun } from "../../src/session/execution/not-run.ts";
import { nothingSeen } from "../../src/session/ledger.ts";
import { newestPython } from "../environment/pythons.ts";
import { startRunner } from "../kernel/runner/start-runner.ts";
import { noKernels } from "./no-kernels.ts";

const result = { ...nothingCaptured, ...notRun(noKernels, { ...nothingSeen }, { status: "ok" }) };

const execution = (stop?: AbortController | null): Execution =>
  new Execution("run-1", "main", { code: "" }, undefined, { stop });

test("an execution that is over hands its signal on, once", () => {
  const first = execution();
  expect(first.handOnStop()).toBeNull();
  const { signalWhileRunning } = first;
  first.settle(result);
  const second = execution(first.handOnStop());
  expect(second.signalWhileRunning).toBe(signalWhileRunning);
  expect(first.handOnStop()).toBeNull();
});

test("to interrupt an execution that is over does not interrupt the next one", async () => {
  const first = execution();
  first.settle(result);
  const second = execution(first.handOnStop());
  await first.interrupt();
  expect(second.signalWhileRunning.aborted).toBe(false);
});

test("a signal that a caller holds, or that has aborted, is not reused", async () => {
  const given = execution();
  const { signal } = given;
  given.settle(result);
  expect(given.handOnStop()).toBeNull();
  expect(given.signal).toBe(signal);
  const interrupted = execution();
  void interrupted.interrupt();
  interrupted.settle(result);
  expect(interrupted.handOnStop()).toBeNull();
});

test("a signal has no listeners after its cell", async () => {
  await using kernel = await startRunner(newestPython().path, { cwd: tmpdir() });
  const { signal } = new AbortController();
  for (const code of ["1 + 1", "1 / 0", "print('x')"]) {
    await runCell(kernel, code, { signal, time: { leftMs: Number.POSITIVE_INFINITY }, onEvent: () => {} });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  }
});

test("a call of many cells, which all wait with one signal, is no leak in Node's eyes, and leaves no listener", async () => {
  const warnings: string[] = [];
  const keep = ({ name }: Error): number => warnings.push(name);
  process.on("warning", keep);
  const { signal } = new AbortController();
  const waiting = Array.from({ length: 30 }, () => new Execution("run-1", "main", { code: "" }, signal));
  for (const each of waiting) each.settle(result);
  // Node reports in the next turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", keep);
  expect(warnings).toEqual([]);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
