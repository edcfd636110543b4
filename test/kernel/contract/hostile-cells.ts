import { KernelError } from "../../../src/kernel/errors.ts";
import { printed, run, runToDeath } from "../collect.ts";
import { describe, expect } from "../harness.ts";
import type { Contract } from "../kernel-contract.ts";
import { py } from "../py.ts";

/** Cells that damage the environment of later cells. */
export function describeHostileCells({ test }: Contract): void {
  describe("after a cell that", () => {
    const survivable: Record<string, string> = {
      "closes descriptor 1": "import os\nos.close(1)",
      "closes descriptor 2": "import os\nos.close(2)",
      "closes descriptor 0": "import os\nos.close(0)",
      "closes all three": "import os\nos.close(0); os.close(1); os.close(2)",
      "closes sys.stdout": "import sys\nsys.stdout.close()",
      "closes sys.stderr": "import sys\nsys.stderr.close()",
      "closes both streams": "import sys\nsys.stdout.close(); sys.stderr.close()",
      "detaches sys.stdout": "import sys\nkept = sys.stdout.detach()",
      "rewraps sys.stdout":
        "import io, sys\nsys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding='utf-8', line_buffering=True)",
      "reconfigures sys.stdout":
        "import sys\nsys.stdout.reconfigure(encoding='ascii', errors='replace', line_buffering=True, write_through=True)",
      "replaces sys.stdout and puts it back":
        "import io, sys\nsys.stdout = io.StringIO()\nprint('x')\nsys.stdout = sys.__stdout__",
      "points descriptor 1 elsewhere and back": py`
        import os
        saved = os.dup(1)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1); print("unseen", flush=True)
        os.dup2(saved, 1); os.close(saved); os.close(null)
      `,
      "points descriptor 1 at a full disk and prints": py`
        import os, sys
        os.dup2(os.open("/dev/full", os.O_WRONLY), 1)
        try: print("lost", flush=True)
        except OSError: pass
        print("heard", file=sys.stderr)
      `,
      "lets a file take the place of descriptor 1":
        "import os\nos.close(1)\nkept = open('/dev/null')\ntry: print('lost')\nexcept OSError: pass",
      "makes the pipes non-blocking": "import os\nos.set_blocking(1, False); os.set_blocking(2, False)",
      "changes to a folder that is then deleted":
        "import os, tempfile\nfolder = tempfile.mkdtemp()\nos.chdir(folder)\nos.rmdir(folder)",
      "forgets all its variables": "globals().clear()",
      "replaces builtins": "import builtins\nbuiltins.input = builtins.display = builtins.exit = None",
      "defines names like the kernel's": "display = input = errors = emit = streams = execute = frames = None",
      "empties the environment": "import os\nos.environ.clear()",
      "empties sys.path": "import sys\nsys.path.clear()",
      "breaks the hooks": "import sys\nsys.excepthook = sys.displayhook = sys.unraisablehook = None",
      "removes __main__ from the modules": "import sys\ndel sys.modules['__main__']",
      "ignores every signal it can": py`
        import signal
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGCHLD):
            signal.signal(number, signal.SIG_IGN)
      `,
      "blocks signals":
        "import signal\nold = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})",
      "raises the recursion limit and reaches it": py`
        import sys
        sys.setrecursionlimit(300)
        def deep(): deep()
        try: deep()
        except RecursionError: pass
      `,
      "leaves a trace function": "import sys\nsys.settrace(lambda *_: None)\nsys.setprofile(lambda *_: None)",
      "turns off garbage collection and collects": "import gc\ngc.disable()\nn = gc.collect()",
      "changes the locale and the umask":
        "import locale, os\nlocale.setlocale(locale.LC_ALL, 'C')\nold = os.umask(0o777)",
      "allows few open files":
        "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (64, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))",
      "stops the threads' switching": "import sys\nsys.setswitchinterval(100)",
      "removes modules that anybody may need": py`
        import sys
        for name in ("traceback", "linecache", "tokenize", "ast", "re", "json", "io", "threading"):
            sys.modules.pop(name, None)
      `,
      "sets an alarm and takes it back": "import signal\nn = signal.alarm(100)\nn = signal.alarm(0)",
      "starts a new asyncio policy":
        "import asyncio, warnings\nwarnings.simplefilter('ignore')\nasyncio.set_event_loop(None)",
      "leads its own session": "import os\ntry: os.setsid()\nexcept OSError: pass",
    };

    for (const [what, code] of Object.entries(survivable)) {
      test(`${what}, output, results and errors work again`, async (kernel) => {
        const hostile = await run(kernel, code);
        expect(hostile.error).toBe(undefined);
        const after = await run(kernel, "import sys\nprint('out')\nprint('err', file=sys.stderr)\n6 * 7", { cwd: "/" });
        expect(after.error).toBe(undefined);
        expect([after.stdout, after.stderr, after.result]).toEqual(["out\n", "err\n", { "text/plain": "42" }]);
        const failing = await run(kernel, "1 / 0  # as ever");
        expect(failing.error?.name).toBe("ZeroDivisionError");
        expect(failing.error?.traceback).toContain("1 / 0  # as ever");
      });
    }

    test("replaces sys.stdout for good, output goes where the user sent it, until it is put back", async (kernel) => {
      await run(kernel, "import io, sys\nmine = sys.stdout = io.StringIO()");
      const silent = await run(kernel, "print('to the user')\n'a result'");
      expect(silent.stdout).toBe("");
      expect(silent.result).toEqual({ "text/plain": "'a result'" });
      const back = "sys.stdout = sys.__stdout__\nprint(mine.getvalue(), end='')";
      expect(await printed(kernel, back)).toBe("to the user\n");
    });

    test("replaces sys.stdout with a failing object, cells still end", async (kernel) => {
      const broken = py`
        import sys
        class Broken:
            def write(self, text): raise RuntimeError("broken pipe dream")
            def flush(self): raise RuntimeError("broken flush")
        sys.stdout = Broken()
      `;
      expect((await run(kernel, broken)).outcome).toBe("ok");
      const { error } = await run(kernel, "print('x')");
      expect(error?.message).toBe("broken pipe dream");
      expect(await printed(kernel, "sys.stdout = sys.__stdout__\nprint('fine')")).toBe("fine\n");
    });

    test("sets sys.stdout to None, cells still end", async (kernel) => {
      await run(kernel, "import sys\nsys.stdout = sys.stderr = None");
      const { outcome, error } = await run(kernel, "print('nowhere')\n1/0");
      expect(outcome).toBe("error");
      expect(error?.name).toBe("ZeroDivisionError");
      expect(await printed(kernel, "sys.stdout = sys.__stdout__\nprint('fine')")).toBe("fine\n");
    });

    test("changes the working directory, the next cell is there", async (kernel) => {
      await run(kernel, "import os\nos.mkdir('inner')\nos.chdir('inner')");
      expect(await printed(kernel, "print(os.path.basename(os.getcwd()))")).toBe("inner\n");
    });

    test("closes every descriptor, the kernel lives or its death is reported", async (kernel) => {
      const { thrown, events } = await runToDeath(kernel, "import os\nos.closerange(0, 1024)\n42");
      const lived = events.at(-1)?.type === "done";
      if (!lived) expect(thrown).toBeInstanceOf(KernelError);
    });

    test("prints in a loop in a daemon thread, the kernel still closes", async (kernel) => {
      const cell = py`
        import threading
        def chatter():
            while True: print("x" * 100)
        threading.Thread(target=chatter, daemon=True).start()
      `;
      await run(kernel, cell);
      await kernel.close();
      expect(kernel.state).toBe("dead");
    });
  });
}
