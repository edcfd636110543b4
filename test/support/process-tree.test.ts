import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { processTree } from "../../src/support/process/process-tree.ts";
import { until } from "../kernel/until.ts";

const pids: number[] = [];
afterEach(() => {
  for (const pid of pids.splice(0)) process.kill(-pid, "SIGKILL");
});

function start(script: string): number {
  const { pid = 0 } = spawn("bash", ["-c", script], { detached: true, stdio: "ignore" });
  pids.push(pid);
  return pid;
}

test("has the process first and then all that it has started, with command lines and memory", async () => {
  const root = start("sleep 1001 & (sleep 1002; true) & wait");
  await until("all have started", async () => (await processTree(root)).length === 4);
  const [first, ...others] = await processTree(root);
  expect(first).toMatchObject({ pid: root, command: ["bash", "-c", expect.any(String)], isStopped: false });
  expect(others.map(({ command }) => command.join(" "))).toEqual(expect.arrayContaining(["sleep 1001", "sleep 1002"]));
  expect(first?.memoryBytes).toBeGreaterThan(100_000);
});

test("shows which process computes, which waits, and which is stopped", async () => {
  const root = start("while :; do :; done & sleep 1003 & wait");
  await until("one computes", async () => (await processTree(root)).some(({ cpuPercent }) => cpuPercent > 0));
  const sleeper = (await processTree(root)).find(({ command }) => command[1] === "1003");
  expect(sleeper).toMatchObject({ cpuPercent: 0, isStopped: false });
  process.kill(sleeper?.pid ?? 0, "SIGSTOP");
  await until("it is stopped", async () =>
    (await processTree(root)).some(({ pid, isStopped }) => pid === sleeper?.pid && isStopped),
  );
});

test("is empty for a process that has ended", async () => {
  const child = spawn("true", { stdio: "ignore" });
  await once(child, "exit");
  expect(await processTree(child.pid as number)).toEqual([]);
});
