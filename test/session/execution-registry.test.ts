import { expect, test } from "vitest";
import { nothingCaptured } from "../../src/output/capture.ts";
import { Execution } from "../../src/session/execution/execution.ts";
import { notRun } from "../../src/session/execution/not-run.ts";
import { nothingSeen } from "../../src/session/ledger.ts";
import { ExecutionRegistry } from "../../src/session/session-pool.ts";
import { noKernels } from "./no-kernels.ts";

const result = notRun(noKernels, { ...nothingSeen }, { status: "ok" });

function add(registry: ExecutionRegistry, id: string, output: string | null): Execution {
  const execution = new Execution(id, "main", { code: "" });
  if (output !== null) execution.settle({ ...nothingCaptured, ...result, output });
  registry.add(execution);
  return execution;
}

test("finished executions are remembered for a while, running ones until they end", () => {
  const registry = new ExecutionRegistry();
  const first = add(registry, "under way", null);
  for (let count = 0; count < 300; count += 1) add(registry, `over ${count}`, "");
  expect(registry.get("under way")).toBe(first);
  expect(registry.get("over 299")).toBeDefined();
  expect(registry.get("over 0")).toBeUndefined();
  expect(registry.all.length).toBeLessThanOrEqual(202);
});

test("heavy ones are forgotten sooner", () => {
  const registry = new ExecutionRegistry();
  const heavy = "x".repeat(30 * 1024 * 1024);
  for (const id of ["a", "b", "c"]) add(registry, id, heavy);
  expect(registry.all.map(({ id }) => id)).toEqual(["b", "c"]);
});
