import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { isLong } from "../environment/variants.ts";
import { describeWithJupyter } from "../kernel/gateway/jupyter-python.ts";
import { environmentIn, temporaryFolder } from "./runtimes.ts";

const folder = temporaryFolder();

/** Runs a host in a process of its own that may open so many files; what it prints is JSON. */
async function hostWith(files: number, script: string, args: readonly string[], env = environmentIn(folder)) {
  const runtime = inRepository("dist/library/index.js");
  const command = `ulimit -n ${files} && exec "$0" "$@"`;
  const given = ["-c", command, process.execPath, inRepository(`test/runtime/${script}`), runtime, folder, ...args];
  const { stdout } = await promisify(execFile)("/bin/sh", given, { env });
  return JSON.parse(stdout);
}

describe("a host that has no file descriptors left", () => {
  test("gets them from idle sessions, which report it", async () => {
    const { whenShort, other } = await hostWith(200, "few-files.mjs", ["6", "idle"]);
    expect(whenShort).toEqual(["ok", "it runs\n"]);
    expect(other).toEqual({ generation: 2, state: "restarted", reason: "Too many files were open." });
  });

  test("gets an error while others are busy, and works again when descriptors are free", async () => {
    const { whenShort, whenFree, other } = await hostWith(200, "few-files.mjs", ["0", "busy"]);
    expect(whenShort).toEqual(["failed", "exhausted"]);
    expect(whenFree).toEqual(["ok", "it runs\n"]);
    expect(other).toEqual({ generation: 1, state: "alive", reason: null });
  });
});

describe("many sessions at once with 64 file descriptors", () => {
  const twelve = { sessions: 12, filesBesides: 0 };
  const whatBecomesOfThem = async (backend: string, cell: string, room = twelve, env = environmentIn(folder)) => {
    const { sessions, filesBesides } = room;
    const args = [backend, cell, String(sessions), String(filesBesides)];
    const { fates, afterwards } = await hostWith(64, "many-sessions.mjs", args, env);
    expect(fates).toHaveLength(sessions);
    for (const fate of fates) expect(["42\n", "exhausted"]).toContain(fate);
    expect(fates).toContain("exhausted");
    return afterwards;
  };

  test("get results or errors; when they have left, the host works, also what it had not needed until then", async () => {
    const { status, output } = await whatBecomesOfThem("runner", "print('works'); 1 / 0");
    expect(status).toBe("error");
    expect(output).toMatch(/^works\n(.*\n)*.*ZeroDivisionError: division by zero/);
  });

  describeWithJupyter("on ZeroMQ", (python) => {
    test("get results or errors, and the host works when they have left", async () => {
      const { PATH, ...others } = environmentIn(folder);
      const env = { ...others, PATH: `${dirname(python)}:${PATH}` };
      // These kernels take long to start, so fewer of them in less room.
      const room = isLong ? twelve : { sessions: 3, filesBesides: 26 };
      // Nothing that opens files: the kernel itself has only 64 descriptors as well.
      expect(await whatBecomesOfThem("zmq", "print('works')", room, env)).toEqual({ status: "ok", output: "works\n" });
    });
  });
});
