import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { GatewayProcess } from "../../../src/kernel/gateway/gateway-process.ts";
import { isRunning } from "../processes.ts";
import { StandInServer } from "./stand-in-server.ts";

async function terminated(...statuses: readonly number[]) {
  let asked = 0;
  const answer = () => ({ status: statuses[Math.min(asked++, statuses.length - 1)] ?? 204, body: {} });
  const server = await StandInServer.start({ answer });
  try {
    const choices = { outlivesUs: false, serverPid: null };
    const kernel = new GatewayProcess({ url: server.url }, { id: "one", pid: null }, choices);
    await kernel.terminate();
    const requests = server.requests.map(({ method, url }) => `${method} ${url}`);
    return { requests, exit: await kernel.exited };
  } finally {
    await server.close();
  }
}

const deletion = "DELETE /api/kernels/one";

test("a kernel that a server refuses to delete while it restarts it is deleted when the server is done", async () => {
  const { requests, exit } = await terminated(500, 503, 204);
  expect(requests).toEqual([deletion, deletion, deletion]);
  expect(exit.reason).toBeUndefined();
});

test.each([204, 404, 403])("a server that has answered %s is not asked to delete the kernel again", async (status) => {
  expect((await terminated(status)).requests).toEqual([deletion]);
});

test.each(["terminate", "close"] as const)(
  "a kernel on this machine ends on %s, though its server never answers",
  async (how) => {
    const server = await StandInServer.start({ answer: () => null });
    const child = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
    const pid = child.pid as number;
    try {
      const choices = { outlivesUs: false, serverPid: null };
      const kernel = new GatewayProcess({ url: server.url }, { id: "one", pid }, choices);
      await kernel[how]();
      expect(isRunning(pid)).toBe(false);
      // Otherwise it would say that the kernel may still run.
      expect(await kernel.exited).toEqual({ exitCode: null, signal: null });
    } finally {
      child.kill("SIGKILL");
      await server.close();
    }
  },
);
