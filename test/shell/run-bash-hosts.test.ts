import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { bunPath } from "../../scripts/bun-path.mjs";
import { inRepository } from "../../scripts/repository.mjs";
import { isRunning } from "../kernel/processes.ts";
import { until } from "../kernel/until.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "granary-bash-host-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// As in a user's program: compiled for Node, by the set-up of the tests; as source for Bun.
const hosts = {
  Node: { program: process.execPath, sources: [inRepository("dist"), "js"] },
  Bun: { program: bunPath(), sources: [inRepository("src"), "ts"] },
};

for (const [name, { program, sources }] of Object.entries(hosts)) {
  const start = (command: string) => {
    const script = inRepository("test/shell/host-to-be-killed.mjs");
    const host = spawn(program as string, [script, ...sources, folder, command], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void host.kill("SIGKILL"));
    return host;
  };

  describe.skipIf(program === undefined)(`a host on ${name}`, () => {
    test("runs a command, ends its background processes, and can then end itself", async () => {
      const host = start("sleep 1000 & echo out; echo err > /dev/stderr; seq 3");
      const ended = once(host, "exit");
      expect(JSON.parse(await text(host.stdout))).toEqual({
        status: "complete",
        output: "out\nerr\n1\n2\n3\n",
        background: 1,
      });
      expect(await ended).toEqual([0, null]);
    });

    test("that is killed takes the command and all of its processes with it", async () => {
      const path = join(folder, `pids-${name}`);
      const host = start(`trap '' HUP TERM; sleep 1000 & echo $$ $! > ${path}; wait`);
      await until("the command runs", () => existsSync(path) && readFileSync(path, "utf8").endsWith("\n"));
      const pids = readFileSync(path, "utf8").trim().split(" ").map(Number);
      host.kill("SIGKILL");
      await until("nothing is left", () => !pids.some(isRunning));
    });

    test("that its command kills at once takes the command with it", async () => {
      const path = join(folder, `pid-${name}`);
      const host = start(`trap '' HUP TERM; echo $$ > ${path}; kill -KILL $PPID; sleep 1000; echo`);
      await once(host, "exit");
      await until("the command has run", () => existsSync(path) && readFileSync(path, "utf8").endsWith("\n"));
      const pid = Number(readFileSync(path, "utf8"));
      await until("it has ended", () => !isRunning(pid));
    });
  });
}
