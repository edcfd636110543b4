import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import { environment } from "../../environment/pythons.ts";
import { groupMembers } from "../processes.ts";
import { plainEnvironment } from "../runner/start-runner.ts";
import { until } from "../until.ts";

const found = environment("main");
const python = "python" in found ? found.python : "";

const cells: Readonly<Record<string, string>> = {
  "between cells": "print('ready')",
  "while C code holds Python's lock": "print('ready', flush=True)\nsum(range(10 ** 13))",
  "while children run":
    "import subprocess\nprint('ready', flush=True)\nsubprocess.run(['sh', '-c', 'sleep 601; sleep 602'])",
};

describe.skipIf(python === "")("when a host is killed, its ipykernel ends with all its children", () => {
  test.each(Object.entries(cells))("%s", async (_when, code) => {
    const script = inRepository("test/kernel/zmq/host-to-be-killed.mjs");
    const host = spawn(process.execPath, [script, inRepository("dist/kernel/zmq/zmq-backend.js"), python, code], {
      env: plainEnvironment,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [said] = await Promise.race([
      once(host.stdout, "data"),
      once(host, "exit").then(() => Promise.reject(new Error("The host ended by itself."))),
    ]);
    const group = Number(String(said));
    try {
      await until("the group is there", () => groupMembers(group).includes(group));
      host.kill("SIGKILL");
      await until("nothing of the kernel is left", () => groupMembers(group).length === 0);
    } finally {
      host.kill("SIGKILL");
      for (const pid of groupMembers(group)) process.kill(pid, "SIGKILL");
    }
  });
});
