import { type ChildProcess, spawn } from "node:child_process";
import { describe, test } from "vitest";
import { bunPath } from "../../../scripts/bun-path.mjs";
import { inRepository } from "../../../scripts/repository.mjs";
import { newestPython, oldestPython } from "../../environment/pythons.ts";
import { groupMembers } from "../processes.ts";
import { py } from "../py.ts";
import { until } from "../until.ts";
import { plainEnvironment } from "./start-runner.ts";

// As a user's program has it: compiled for Node, which is what the set-up of the tests has built; as it is for Bun.
const hosts = {
  Node: { program: process.execPath, backend: inRepository("dist/kernel/runner/runner-backend.js") },
  Bun: { program: bunPath(), backend: inRepository("src/kernel/runner/runner-backend.ts") },
};

const cells: Record<string, string> = {
  "between cells": "print('ready')",
  "while a cell sleeps": "print('ready', flush=True)\nimport time\ntime.sleep(600)",
  "while a cell computes": "print('ready', flush=True)\nwhile True: pass",
  "while C code holds Python's lock": "print('ready', flush=True)\nsum(range(10 ** 13))",
  "while a cell refuses every signal": py`
    import signal
    for number in range(1, 32):
        try: signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError): pass
    print("ready", flush=True)
    while True:
        try:
            while True: pass
        except BaseException: pass
  `,
  "while children run": py`
    import subprocess
    children = [subprocess.Popen(["sh", "-c", "trap '' INT TERM HUP; sleep 601; sleep 602"]) for _ in range(2)]
    print("ready", flush=True)
    children[0].wait()
  `,
  "while a cell prints as fast as it can": "print('ready', flush=True)\nwhile True: print('x' * 1000)",
  "while a pool of processes works": py`
    import multiprocessing, time
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print("ready", flush=True)
        pool.map(time.sleep, [600, 600])
  `,
};

for (const [name, { program, backend }] of Object.entries(hosts)) {
  for (const python of [oldestPython(), newestPython()]) {
    describe.skipIf(program === undefined)(
      `when a host on ${name} is killed, its Python ${python.version} ends with all its children`,
      () => {
        for (const [when, code] of Object.entries(cells)) {
          test(when, async () => {
            const args = [inRepository("test/kernel/runner/host-to-be-killed.mjs"), backend, python.path, code];
            const host = spawn(program as string, args, {
              env: plainEnvironment,
              stdio: ["ignore", "pipe", "inherit"],
            });
            const group = await firstNumber(host);
            try {
              await until("the group is there", () => groupMembers(group).includes(group));
              host.kill("SIGKILL");
              await until("nothing of the kernel is left", () => groupMembers(group).length === 0);
            } finally {
              host.kill("SIGKILL");
              for (const pid of groupMembers(group)) process.kill(pid, "SIGKILL");
            }
          });
        }
      },
    );
  }
}

function firstNumber(host: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    host.once("exit", (code) => reject(new Error(`The host ended by itself, with exit code ${code}.`)));
    host.stdout?.once("data", (text: Buffer) => resolve(Number(text.toString())));
  });
}
