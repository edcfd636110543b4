import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import { isRunning } from "../../kernel/processes.ts";
import { until } from "../../kernel/until.ts";
import { environmentIn, temporaryFolder } from "../runtimes.ts";

const folder = temporaryFolder();

test("when the host is killed, its kernels, copies and branches end", async () => {
  const script = inRepository("test/runtime/checkpoints/host-with-checkpoints.mjs");
  const host = spawn(process.execPath, [script, inRepository("dist/runtime/runtime.js"), folder], {
    env: environmentIn(folder),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const pids = await new Promise<readonly number[]>((resolve, reject) => {
    host.once("exit", (code) => reject(new Error(`The host ended by itself, with exit code ${code}.`)));
    host.stdout.once("data", (text: Buffer) => resolve(JSON.parse(text.toString())));
  });
  expect(pids.length).toBeGreaterThan(4);
  host.kill("SIGKILL");
  await until("nothing is left", () => pids.every((pid) => !isRunning(pid)));
});
