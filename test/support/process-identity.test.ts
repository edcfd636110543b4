import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { identityOf, isStillRunning } from "../../src/support/process/process-identity.ts";
import { until } from "../kernel/until.ts";

test("a process that runs is still running, and so are we", () => {
  const ourselves = identityOf(process.pid);
  expect(ourselves.began).toEqual(expect.any(String));
  expect(isStillRunning(ourselves)).toBe(true);
});

test("a process with the same number but another start time is a different process", () => {
  expect(isStillRunning({ pid: process.pid, began: "long ago" })).toBe(false);
});

test("a process that has ended is not running", async () => {
  const child = spawn("sleep", ["60"]);
  const identity = identityOf(child.pid as number);
  expect(isStillRunning(identity)).toBe(true);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(isStillRunning(identity)).toBe(false);
});

test("a zombie is not running, though signals reach it", async () => {
  // The shell becomes `sleep`, which does not wait for the shell's child.
  const parent = spawn("sh", ["-c", "sleep 0.01 & echo $!; exec sleep 60"]);
  try {
    const [line] = await once(parent.stdout, "data");
    const pid = Number(String(line).trim());
    const identity = identityOf(pid);
    await until("the child is a zombie", () => !isStillRunning({ pid, began: identity.began ?? "unknown" }));
    expect(() => process.kill(pid, 0)).not.toThrow();
  } finally {
    parent.kill("SIGKILL");
  }
});
