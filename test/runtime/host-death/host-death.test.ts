import { type ChildProcess, spawn } from "node:child_process";
import { describe, test } from "vitest";
import { bunPath } from "../../../scripts/bun-path.mjs";
import { inRepository } from "../../../scripts/repository.mjs";
import { groupMembers } from "../../kernel/processes.ts";
import { py } from "../../kernel/py.ts";
import { until } from "../../kernel/until.ts";
import { environmentIn, temporaryFolder } from "../runtimes.ts";

const folder = temporaryFolder();

// As a user's program has it: compiled for Node, which is what the set-up of the tests has built; as it is for Bun.
const hosts = {
  Node: { program: process.execPath, runtime: inRepository("dist/runtime/runtime.js") },
  Bun: { program: bunPath(), runtime: inRepository("src/runtime/runtime.ts") },
};

const cells = [
  "print('ready')",
  "print('ready', flush=True)\nwhile True: pass",
  py`
    import subprocess
    child = subprocess.Popen(["sh", "-c", "trap '' INT TERM HUP; sleep 601"])
    print("ready", flush=True)
    child.wait()
  `,
];

for (const [name, { program, runtime }] of Object.entries(hosts)) {
  describe.skipIf(program === undefined)(`when a host on ${name} is killed`, () => {
    test("its sessions leave nothing behind, whether idle, computing or waiting for a child", async () => {
      const script = inRepository("test/runtime/host-death/host-to-be-killed.mjs");
      const host = spawn(program as string, [script, runtime, folder, JSON.stringify(cells)], {
        env: environmentIn(folder),
        stdio: ["ignore", "pipe", "inherit"],
      });
      const groups = await firstLine(host);
      const left = (): readonly number[] => groups.flatMap((group) => groupMembers(group));
      try {
        await until("all are there", () => groups.every((group) => groupMembers(group).includes(group)));
        host.kill("SIGKILL");
        await until("nothing is left", () => left().length === 0);
      } finally {
        host.kill("SIGKILL");
        for (const pid of left()) process.kill(pid, "SIGKILL");
      }
    });
  });
}

function firstLine(host: ChildProcess): Promise<readonly number[]> {
  return new Promise((resolve, reject) => {
    host.once("exit", (code) => reject(new Error(`The host ended by itself, with exit code ${code}.`)));
    host.stdout?.once("data", (text: Buffer) => resolve(JSON.parse(text.toString())));
  });
}
