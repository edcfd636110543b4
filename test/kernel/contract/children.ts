import { execFileSync } from "node:child_process";
import { background, printed, run } from "../collect.ts";
import { describe, expect } from "../harness.ts";
import type { Contract } from "../kernel-contract.ts";
import { py } from "../py.ts";
import { until } from "../until.ts";

export function describeChildren({ test }: Contract): void {
  describe("threads and child processes", () => {
    test("output of threads during the cell belongs to the cell, complete", async (kernel) => {
      const cell = py`
        import threading
        def work(name):
            for i in range(200): print(f"{name} {i}")
        threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
      `;
      const lines = (await printed(kernel, cell)).trimEnd().split("\n");
      const expected = [..."abcd"].flatMap((name) => Array.from({ length: 200 }, (_, i) => `${name} ${i}`));
      expect(lines.sort()).toEqual(expected.sort());
    });

    test("output of a thread after the cell is background output", async (kernel) => {
      const heard = background(kernel);
      const cell = py`
        import sys, threading
        def late():
            print("out later")
            print("err later", file=sys.stderr)
        timer = threading.Timer(0.05, late)
        timer.start()
        print("now")
      `;
      expect(await printed(kernel, cell)).toBe("now\n");
      await until("both were heard", () => heard.of("stdout").endsWith("\n") && heard.of("stderr").endsWith("\n"));
      expect(heard.of("stdout")).toBe("out later\n");
      expect(heard.of("stderr")).toBe("err later\n");
    });

    test("output of a thread over several cells is complete", async (kernel) => {
      const heard = background(kernel);
      let during = "";
      const start = py`
        import threading, time
        def count():
            for i in range(300):
                print(f"{i}\n", end="")  # in one piece: the next may come elsewhere
                time.sleep(0.001)
            print("end")
        threading.Thread(target=count).start()
      `;
      during += (await run(kernel, start)).stdout;
      for (let round = 0; round < 10; round++) during += (await run(kernel, "time.sleep(0.01)")).stdout;
      await until("the thread has ended", () => (heard.text + during).includes("end"));
      const numbers = (heard.text + during).split("\n").filter((line) => /^\d+$/.test(line));
      expect(numbers.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, i) => i));
    });

    test("output of child processes during the cell belongs to the cell, on both streams", async (kernel) => {
      const { stdout, stderr } = await run(
        kernel,
        py`
          import os, subprocess, sys
          subprocess.run(["sh", "-c", "echo out; echo err >&2"])
          subprocess.check_call([sys.executable, "-c", "print('from Python')"])
          os.system("echo system")
          os.waitpid(os.posix_spawn("/bin/echo", ["echo", "spawned"], os.environ), 0);
        `,
      );
      expect(stdout).toBe("out\nfrom Python\nsystem\nspawned\n");
      expect(stderr).toBe("err\n");
    });

    test("output of a child process after the cell is background output", async (kernel) => {
      const heard = background(kernel);
      const cell = "import subprocess\nchild = subprocess.Popen(['sh', '-c', 'sleep 0.1; echo late; echo too >&2'])";
      expect((await run(kernel, cell)).text).toBe("");
      await until("the child was heard", () => heard.of("stdout").endsWith("\n") && heard.of("stderr").endsWith("\n"));
      expect(heard.of("stdout")).toBe("late\n");
      expect(heard.of("stderr")).toBe("too\n");
    });

    test("a child that keeps printing does not delay the end of the cell", async (kernel) => {
      const cell = "import subprocess\nchild = subprocess.Popen(['sh', '-c', 'while echo x; do sleep 0.01; done'])";
      expect((await run(kernel, cell)).outcome).toBe("ok");
      expect((await run(kernel, "child.kill(); child.wait()")).outcome).toBe("ok");
    });

    test("children can open /dev/stdout and /dev/stderr", async (kernel) => {
      const cell = py`
        import subprocess
        subprocess.run(["sh", "-c", "echo x > /dev/stderr; echo y > /dev/stdout"], check=True)
        with open("/dev/stdout", "w") as out: print("z", file=out)
        with open("/dev/stderr", "w") as err: print("w", file=err)
      `;
      const { stdout, stderr, error } = await run(kernel, cell);
      expect(error).toBe(undefined);
      expect(stdout).toBe("y\nz\n");
      expect(stderr).toBe("x\nw\n");
    });

    test("children inherit no descriptor of the kernel's beyond stdin, stdout and stderr", async (kernel) => {
      const list =
        "import os; print([fd for fd in os.listdir('/dev/fd') if int(fd) > 2 and os.path.exists('/dev/fd/' + fd)])";
      const childOfTheHost = execFileSync(kernel.info.executable, ["-c", list], { encoding: "utf8" });
      const cell = py`
        import subprocess, sys
        subprocess.run([sys.executable, "-c", """${list}"""], close_fds=False)
      `;
      expect(await printed(kernel, cell)).toBe(childOfTheHost);
    });

    test("a child that makes the shared pipe non-blocking does not break later prints", async (kernel) => {
      const cell = py`
        import subprocess, sys
        subprocess.run([sys.executable, "-c", "import os; os.set_blocking(1, False); os.set_blocking(2, False)"])
        print("x" * 3_000_000)
        print("y" * 3_000_000, file=sys.stderr)
      `;
      const { stdout, stderr, error } = await run(kernel, cell);
      expect(error).toBe(undefined);
      expect([stdout.length, stderr.length]).toEqual([3_000_001, 3_000_001]);
    });

    test("output captured by the cell's own code is not shown", async (kernel) => {
      const cell = py`
        import contextlib, io, subprocess
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            print("captured")
        (text.getvalue(), subprocess.check_output(["echo", "also"]))
      `;
      const { text, result } = await run(kernel, cell);
      expect(text).toBe("");
      expect(result).toEqual({ "text/plain": "('captured\\n', b'also\\n')" });
    });
  });
}
