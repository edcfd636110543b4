import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { KernelError } from "../../../src/kernel/errors.ts";
import { background, printed, run, runAndWhenReady } from "../collect.ts";
import { describe, expect } from "../harness.ts";
import type { Contract } from "../kernel-contract.ts";
import { isRunning } from "../processes.ts";
import { py } from "../py.ts";
import { until } from "../until.ts";

export function describeLifeCycle({ test }: Contract): void {
  describe("the life of a kernel", () => {
    test("started comes first and done comes last", async (kernel) => {
      const before = Date.now();
      const { events } = await run(kernel, "print('hello')\n42");
      expect(events.map((event) => event.type)).toEqual(["started", "stream", "result", "done"]);
      const [started] = events;
      expect(started?.type === "started" && started.at >= before && started.at <= Date.now()).toBe(true);
    });

    test("started arrives while the cell runs, even if the cell prints nothing", async (kernel) => {
      const { outcome } = await run(kernel, "import time\ntime.sleep(60)", {
        onEvent: (event) => event.type === "started" && void kernel.interrupt(),
      });
      expect(outcome).toBe("interrupted");
    });

    test("a failing cell and an empty one also have started first and done last", async (kernel) => {
      const failing = await run(kernel, "1/0");
      expect(failing.events.map((event) => event.type)).toEqual(["started", "error", "done"]);
      const empty = await run(kernel, "");
      expect(empty.events.map((event) => event.type)).toEqual(["started", "done"]);
      expect(empty.outcome).toBe("ok");
    });

    test("it is idle, busy while a cell runs, idle again, and dead after close", async (kernel) => {
      expect(kernel.state).toBe("idle");
      const cell = run(kernel, "1");
      expect(kernel.state).toBe("busy");
      await cell;
      expect(kernel.state).toBe("idle");
      await kernel.close();
      expect(kernel.state).toBe("dead");
    });

    test("it says which Python it is", async (kernel) => {
      const { info } = kernel;
      expect(info.language).toBe("python");
      const said = await printed(kernel, "import os, platform; print(platform.python_version(), os.getpid())");
      expect(said.trim()).toBe(`${info.version} ${info.pid}`);
    });

    test("a second cell while one runs is refused as busy, and the first is not disturbed", async (kernel) => {
      let refusal: unknown;
      const first = await runAndWhenReady(
        kernel,
        py`
          print("ready", flush=True)
          print(input())
        `,
        () => {
          try {
            kernel.execute("1");
          } catch (error) {
            refusal = error;
          }
        },
        { answer: async () => "undisturbed" },
      );
      expect(refusal).toBeInstanceOf(KernelError);
      expect((refusal as KernelError).code).toBe("busy");
      expect(first.stdout).toContain("undisturbed");
    });

    test("execute starts at once, before its events are read", async (kernel) => {
      const events = kernel.execute("open('begun', 'w').close()");
      expect(kernel.state).toBe("busy");
      await until("the cell has ended by itself", () => kernel.state === "idle");
      for await (const event of events) if (event.type === "done") expect(event.outcome).toBe("ok");
    });

    test("leaving the events early interrupts the cell and waits for its end", async (kernel) => {
      const cell = py`
        import time
        try:
            print("ready", flush=True)
            time.sleep(60)
        finally:
            time.sleep(0.05)
            cleaned_up = True
      `;
      for await (const event of kernel.execute(cell)) if (event.type === "stream") break;
      expect(kernel.state).toBe("idle");
      expect(await printed(kernel, "print(cleaned_up)")).toBe("True\n");
    });

    test("leaving early in the middle of a flood of output does not block anything", async (kernel) => {
      const flood = "while True: print('x' * 1000)";
      for await (const event of kernel.execute(flood)) if (event.type === "stream") break;
      expect(await printed(kernel, "print('quiet again')")).toBe("quiet again\n");
    });

    test("an aborted signal interrupts the cell", async (kernel) => {
      const controller = new AbortController();
      const cell = "import time; print('ready', flush=True); time.sleep(60)";
      const { outcome } = await runAndWhenReady(kernel, cell, () => controller.abort(), { signal: controller.signal });
      expect(outcome).toBe("interrupted");
    });

    test("a signal aborted after the end touches neither the kernel nor the next cell", async (kernel) => {
      const controller = new AbortController();
      await run(kernel, "x = 1", { signal: controller.signal });
      controller.abort();
      expect(await printed(kernel, "print(x)")).toBe("1\n");
    });

    test("ping answers between cells and while a cell runs", async (kernel) => {
      await kernel.ping();
      let pong: Promise<void> | undefined;
      const cell = "import time; print('ready', flush=True); input(); 'answered'";
      const { result } = await runAndWhenReady(
        kernel,
        cell,
        () => {
          pong = kernel.ping();
        },
        {
          answer: async () => {
            await until("there is a ping", () => pong !== undefined);
            await pong;
            return "";
          },
        },
      );
      expect(result).toEqual({ "text/plain": "'answered'" });
    });

    test("an internal cell shows nothing, counts nothing and leaves no trace in the history", async (kernel) => {
      await run(kernel, "'remembered'");
      const bootstrap = await run(kernel, "import os\nprint('unseen')\n'unseen'", { internal: true });
      expect(bootstrap.events.map((event) => event.type)).toEqual(["done"]);
      expect(bootstrap.executionCount).toBe(null);
      const next = await run(kernel, "_, os.sep");
      expect(next.result).toEqual({ "text/plain": "('remembered', '/')" });
      expect(next.executionCount).toBe(2);
    });

    test("a failed internal cell reports why", async (kernel) => {
      const { events, error } = await run(kernel, "1/0", { internal: true });
      expect(events.map((event) => event.type)).toEqual(["error", "done"]);
      expect(error?.name).toBe("ZeroDivisionError");
    });

    test("a cell can be given a working directory and changes to the environment", async (kernel, folder) => {
      const here = await printed(kernel, "import os; print(os.path.realpath(os.getcwd()))", { cwd: "/" });
      expect(here).toBe("/\n");
      await printed(kernel, "os.environ['REMOVED'] = 'x'");
      const ask = "print(os.environ.get('GIVEN'), os.environ.get('REMOVED'))";
      expect(await printed(kernel, ask, { cwd: folder, env: { GIVEN: "héllo", REMOVED: null } })).toBe("héllo None\n");
    });

    test("a working directory that does not exist is an error of that cell only", async (kernel) => {
      const lost = await run(kernel, "print('unreached')", { cwd: "/no/such/folder" });
      expect(lost.outcome).toBe("error");
      expect(lost.error?.name).toBe("FileNotFoundError");
      expect(lost.stdout).toBe("");
      expect(await printed(kernel, "print('fine')")).toBe("fine\n");
    });

    test(
      "background output without a listener is kept",
      async (kernel, folder) => {
        const cell = py`
          import threading, pathlib, time
          def late():
              while not pathlib.Path("go").exists(): time.sleep(0.01)
              print("said in the dark", flush=True)
              pathlib.Path("said").touch()
          threading.Thread(target=late).start()
        `;
        await run(kernel, cell);
        writeFileSync(join(folder, "go"), "");
        await until("it was said", () => existsSync(join(folder, "said")));
        let heard = background(kernel);
        await until("it was heard", () => heard.text !== "");
        expect(heard.text).toBe("said in the dark\n");
        heard = background(kernel);
        expect(heard.text).toBe("");
      },
      { fresh: true },
    );

    test("close ends the process, also in the middle of a cell, and may be called twice", async (kernel) => {
      const cell = "import time\nprint('ready', flush=True)\ntime.sleep(60)";
      let closed: Promise<unknown> | undefined;
      const ending = runAndWhenReady(kernel, cell, () => {
        closed = Promise.all([kernel.close(), kernel.close()]);
      }).catch((error: unknown) => error);
      await ending;
      await closed;
      const report = await kernel.exited;
      expect(report.expected).toBe(true);
      expect(isRunning(kernel.info.pid as number)).toBe(false);
    });

    test("close lets Python end as a program does: atexit handlers run", async (kernel, folder) => {
      await printed(
        kernel,
        `import atexit; atexit.register(lambda: open(${JSON.stringify(`${folder}/bye`)}, "x").close())`,
      );
      await kernel.close();
      const { existsSync } = await import("node:fs");
      expect(existsSync(`${folder}/bye`)).toBe(true);
    });

    test("close is not held up by a thread that never ends", async (kernel) => {
      await printed(kernel, "import threading, time; threading.Thread(target=time.sleep, args=(600,)).start()");
      await kernel.close();
      expect(isRunning(kernel.info.pid as number)).toBe(false);
    });

    test("after close every request is refused with a sentence", async (kernel) => {
      await kernel.close();
      const refusals = [
        () => run(kernel, "1"),
        () => kernel.ping(),
        () => kernel.complete("pri", 3),
        () => kernel.inspect("print", 3),
      ];
      for (const ask of refusals) {
        const refusal = await ask().then(
          () => undefined,
          (error: unknown) => error,
        );
        expect(refusal).toBeInstanceOf(KernelError);
        expect((refusal as KernelError).code).toBe("kernel-closed");
      }
      await kernel.interrupt();
    });
  });
}
