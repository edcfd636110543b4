import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Kernel } from "../../../../src/kernel/kernel.ts";
import { environment, newestPython, oldestPython } from "../../../environment/pythons.ts";
import { printed, run } from "../../collect.ts";
import { py } from "../../py.ts";
import { portsOf } from "../contract/ports.ts";
import { look } from "../look.ts";
import { plainEnvironment, startRunner, temporaryFolder } from "../start-runner.ts";
import { preloading, WarmStarter, warmStarter } from "./start-warm.ts";

const main = environment("main");
const isLinux = process.platform === "linux";

for (const python of [oldestPython(), newestPython()]) {
  describe(`a forked kernel on Python ${python.version}`, () => {
    const starter = warmStarter(python.path, { ownVariables: ["MINE"] });

    test("finds the interpreter as `python -c` has it", async () => {
      const env = { ...plainEnvironment, PYTHONUTF8: "1" };
      await using kernel = await starter.start({ cwd: "/", env });
      const plain = execFileSync(python.path, ["-c", look], { env, cwd: "/", encoding: "utf8", input: "" });
      expect(JSON.parse(await printed(kernel, look))).toEqual(JSON.parse(plain));
    });

    test("has the names, arguments and modules of a spawned one, and not more", async () => {
      const list = py`
        import json, sys
        names = [name for name in sys.modules if not name.startswith("granary_runner") and name not in ("_socket", "gc")]
        print(json.dumps([sorted(globals()), sys.argv, getattr(sys, "orig_argv", None), sorted(names)]))
      `;
      await using spawned = await startRunner(python.path);
      await using forked = await starter.start();
      expect(JSON.parse(await printed(forked, list))).toEqual(JSON.parse(await printed(spawned, list)));
    });

    test("has the streams, handlers, history, variables and built-in names of a spawned one", async () => {
      const list = py`
        import builtins, faulthandler, json, os, signal, sys
        streams = [sys.stdin, sys.stdout, sys.stderr, sys.__stdin__, sys.__stdout__, sys.__stderr__]
        print(json.dumps([
            [[one.name, one.mode, one.encoding, one.errors, one.line_buffering, type(one.buffer).__name__] for one in streams],
            [str(signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGCHLD, signal.SIGPIPE)],
            sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])), faulthandler.is_enabled(), sys.unraisablehook.__name__,
            In, Out, get_ipython().execution_count, sorted(vars(builtins)), sys.path,
            {name: value for name, value in os.environ.items() if name != "GRANARY_KERNEL"},
        ]))
      `;
      const cwd = temporaryFolder();
      await using spawned = await startRunner(python.path, { cwd });
      await using forked = await starter.start({ cwd });
      expect(JSON.parse(await printed(forked, list))).toEqual(JSON.parse(await printed(spawned, list)));
    });

    test.skipIf(!isLinux)("shares most of its memory", async () => {
      await using spawned = await startRunner(python.path);
      await using forked = await starter.start();
      await using _sibling = await starter.start();
      for (const kernel of [spawned, forked]) await run(kernel, "print(1)");
      expect(ownKilobytes(forked)).toBeLessThan(ownKilobytes(spawned) / 2.5);
    });

    test("has its own folder and variables, and its siblings do not see them", async () => {
      const [a, b] = [temporaryFolder(), temporaryFolder()];
      const ask = "import os; print(os.getcwd(), os.environ.get('MINE'))";
      await using first = await starter.start({ cwd: a, env: { ...plainEnvironment, MINE: "1" } });
      await using second = await starter.start({ cwd: b });
      expect(await printed(first, ask)).toBe(`${a} 1\n`);
      expect(await printed(second, ask)).toBe(`${b} None\n`);
      const child = "import subprocess; subprocess.run('echo $MINE; pwd', shell=True);";
      expect(await printed(first, child)).toBe(`1\n${a}\n`);
    });

    test("leads a session and a process group of its own", async () => {
      await using kernel = await starter.start();
      const { pid } = kernel.info;
      expect(await printed(kernel, "import os; print(os.getpid(), os.getsid(0), os.getpgrp())")).toBe(
        `${pid} ${pid} ${pid}\n`,
      );
    });

    test("draws other random numbers, identifiers and secrets than its siblings", async () => {
      const draw = py`
        import json, multiprocessing, random, secrets, ssl, tempfile, uuid
        print(json.dumps([random.random(), random.SystemRandom().random(), str(uuid.uuid1()), str(uuid.uuid4()), secrets.token_hex(),
            ssl.RAND_bytes(8).hex(), tempfile.mktemp(), bytes(multiprocessing.current_process().authkey).hex()]))
      `;
      const modules = ["random", "uuid", "secrets", "ssl", "tempfile", "multiprocessing"];
      await using warm = new WarmStarter(python.path, { preloading: preloading(...modules) });
      const drawn = await inThree(warm, draw);
      for (const column of drawn[0]?.keys() ?? []) expect(new Set(drawn.map((row) => row[column])).size).toBe(3);
    });

    test.skipIf(!isLinux)("has as many descriptors as a spawned one, and no port", async () => {
      await using sibling = await starter.start();
      await using forked = await starter.start();
      await using spawned = await startRunner(python.path);
      for (const kernel of [sibling, forked, spawned]) await run(kernel, "print(1)");
      expect(descriptorsOf(forked)).toEqual(descriptorsOf(spawned));
      expect(portsOf(forked.info.pid as number)).toEqual([]);
    });
  });
}

test.skipIf("missing" in main)(
  "numpy's random numbers differ from kernel to kernel, and a seed works as ever",
  async () => {
    await using warm = new WarmStarter("python" in main ? main.python : "", { preloading: preloading("numpy") });
    const drawn = await inThree(
      warm,
      "import numpy as np; print([float(np.random.rand()), float(np.random.default_rng().random())])",
    );
    for (const column of [0, 1]) expect(new Set(drawn.map((row) => row[column])).size).toBe(3);
    const seeded = await inThree(warm, "import numpy as np; np.random.seed(1); print([float(np.random.rand())])");
    expect(new Set(seeded.flat()).size).toBe(1);
  },
);

async function inThree(warm: WarmStarter, code: string): Promise<unknown[][]> {
  const rows = [];
  for (let count = 0; count < 3; count++) {
    await using kernel = await warm.start();
    rows.push(JSON.parse(await printed(kernel, code)) as unknown[]);
  }
  return rows;
}

/** The memory that no other process shares. */
function ownKilobytes({ info }: Kernel): number {
  const about = readFileSync(`/proc/${info.pid}/smaps_rollup`, "utf8");
  return Number(/^Private_Dirty:\s+(\d+)/m.exec(about)?.[1]);
}

/** What kind of file each descriptor is, without numbers that differ from process to process. */
function descriptorsOf({ info }: Kernel): string[] {
  const folder = `/proc/${info.pid}/fd`;
  return readdirSync(folder)
    .map((fd) => readlinkSync(`${folder}/${fd}`).replace(/\d+/g, "N"))
    .sort();
}
