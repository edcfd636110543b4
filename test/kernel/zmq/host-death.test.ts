import { spawn } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import { environment } from "../../environment/pythons.ts";
import { groupMembers } from "../processes.ts";
import { plainEnvironment } from "../runner/start-runner.ts";
import { until } from "../until.ts";

const found = environment("main");
const python = "python" in found ? found.python : "";

/** Each reports in a file that it runs, because ipykernel cannot send prints while C code holds the lock. */
const cells: Readonly<Record<string, string>> = {
  "between cells": "",
  "while C code holds Python's lock": "sum(range(10 ** 13))",
  "while children run": "import subprocess; subprocess.run(['sh', '-c', 'sleep 601; sleep 602'])",
};

describe.skipIf(python === "")("when a host is killed, its ipykernel ends with all its children", () => {
  test.each(Object.entries(cells))("%s", async (_when, code) => {
    const folder = mkdtempSync(join(tmpdir(), "granary-host-death-"));
    const running = join(folder, "running");
    const cell = `open(${JSON.stringify(running)}, "w").close()\n${code}`;
    const script = inRepository("test/kernel/zmq/host-to-be-killed.mjs");
    const host = spawn(process.execPath, [script, inRepository("dist/kernel/zmq/zmq-backend.js"), python, cell], {
      env: plainEnvironment,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    host.stdout.on("data", (chunk) => {
      said += String(chunk);
    });
    try {
      await until("the cell runs, or is over", () => existsSync(running) && (code !== "" || said.includes("idle")));
      const group = Number.parseInt(said, 10);
      expect(groupMembers(group)).toContain(group);
      host.kill("SIGKILL");
      await until("nothing of the kernel is left", () => groupMembers(group).length === 0);
    } finally {
      host.kill("SIGKILL");
    }
  });
});
