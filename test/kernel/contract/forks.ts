import { background, printed, run } from "../collect.ts";
import { describe, expect } from "../harness.ts";
import type { Contract } from "../kernel-contract.ts";
import { groupMembers } from "../processes.ts";
import { py } from "../py.ts";
import { until } from "../until.ts";

/** As the kernel numbers itself: a sandbox has process numbers of its own. */
const ownNumber = "import os; print(os.getpid())";

export function describeForks({ test }: Contract): void {
  describe("a cell that forks", () => {
    const endings: Record<string, string> = {
      "runs out of the cell": "pass",
      "raises an exception": "raise ValueError('in the child')",
      "calls sys.exit": "import sys; sys.exit(3)",
      "calls os._exit": "os._exit(0)",
      "is interrupted": "raise KeyboardInterrupt",
      "shows and asks": "display('from the child')\ntry: input('from the child')\nexcept BaseException: pass",
      "has a result": "'the child’s own'",
    };
    for (const [what, ending] of Object.entries(endings)) {
      test(`ends once, when the child ${what}, and the child never becomes a second kernel`, async (kernel) => {
        const body = ending.replaceAll("\n", "\n    ");
        const cell = `import os\npid = os.fork()\nif pid == 0:\n    ${body}\nelse:\n    os.waitpid(pid, 0)\n    print("parent")`;
        const pid = await printed(kernel, ownNumber);
        const { events, outcome, stdout } = await run(kernel, cell);
        expect(outcome).toBe("ok");
        expect(stdout).toBe("parent\n");
        const told = events.map((event) => event.type).filter((type) => type !== "stream");
        expect(told).toEqual(["started", "done"]);
        expect(await printed(kernel, ownNumber)).toBe(pid);
        expect(groupMembers(kernel.info.pid as number)).toEqual([kernel.info.pid]);
      });
    }

    test("shows what parent and child print, each once", async (kernel) => {
      const cell = py`
        import os
        print("before")
        pid = os.fork()
        if pid == 0:
            print("child")
        else:
            os.waitpid(pid, 0)
            print("parent")
      `;
      expect(await printed(kernel, cell)).toBe("before\nchild\nparent\n");
    });

    test("prints the exception of the child on stderr", async (kernel) => {
      const cell = "import os\npid = os.fork()\nif pid == 0:\n    1 / 0  # child\nos.waitpid(pid, 0)[1] >> 8";
      const { stderr, result } = await run(kernel, cell);
      expect(stderr).toContain("ZeroDivisionError");
      expect(stderr).toContain("1 / 0  # child");
      expect(result).toEqual({ "text/plain": "1" });
    });

    test("shows no warning about the kernel's own threads", async (kernel) => {
      const cell = "import os\npid = os.fork()\nif pid == 0: os._exit(0)\nos.waitpid(pid, 0);";
      expect((await run(kernel, cell)).stderr).toBe("");
    });

    test("ends while the child continues, whose output is then background output", async (kernel) => {
      const heard = background(kernel);
      const cell = py`
        import os, time
        pid = os.fork()
        if pid == 0:
            time.sleep(0.1)
            print("the child, later")
      `;
      expect((await run(kernel, cell)).stdout).toBe("");
      await until("the child was heard", () => heard.text !== "");
      expect(heard.text).toBe("the child, later\n");
    });

    test("may fork while it awaits", async (kernel) => {
      const cell = py`
        import asyncio, os
        await asyncio.sleep(0)
        pid = os.fork()
        if pid == 0:
            print("child")
        else:
            os.waitpid(pid, 0)
            await asyncio.sleep(0)
            print("parent")
      `;
      const pid = await printed(kernel, ownNumber);
      expect(await printed(kernel, cell)).toBe("child\nparent\n");
      expect(await printed(kernel, ownNumber)).toBe(pid);
    });

    test("may fork in a thread", async (kernel) => {
      const cell = py`
        import os, threading
        def work():
            pid = os.fork()
            if pid == 0:
                print("child", flush=True)
                os._exit(0)
            os.waitpid(pid, 0)
            print("parent")
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
      `;
      expect((await run(kernel, cell)).stdout).toBe("child\nparent\n");
    });

    test("can start a daemon that outlives an interrupt of the kernel", async (kernel) => {
      const cell = py`
        import subprocess
        daemon = subprocess.Popen(["sleep", "30"], start_new_session=True)
        print("ready", flush=True)
        while True: pass
      `;
      const { outcome } = await run(kernel, cell, {
        onEvent: (event) => event.type === "stream" && void kernel.interrupt(),
      });
      expect(outcome).toBe("interrupted");
      expect(await printed(kernel, "print(daemon.poll()); daemon.kill(); code = daemon.wait()")).toBe("None\n");
    });
  });
}
