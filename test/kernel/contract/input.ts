import { background, printed, run } from "../collect.ts";
import { describe, expect } from "../harness.ts";
import type { Contract } from "../kernel-contract.ts";
import { py } from "../py.ts";
import { until } from "../until.ts";

export function describeInput({ test }: Contract): void {
  describe("input", () => {
    test("input() gets the answer, and the host gets the question", async (kernel) => {
      const asked: unknown[] = [];
      const { result, events } = await run(kernel, "input('Name? ')", {
        answer: async (prompt, password) => {
          asked.push([prompt, password]);
          return "Zoë 🚀";
        },
      });
      expect(result).toEqual({ "text/plain": "'Zoë 🚀'" });
      expect(asked).toEqual([["Name? ", false]]);
      expect(events.filter((event) => event.type === "stdin")).toEqual([
        { type: "stdin", prompt: "Name? ", password: false },
      ]);
    });

    test("getpass gets the answer, is marked as a password, and the answer is not shown", async (kernel) => {
      const { stdout, text, events } = await run(
        kernel,
        "import getpass\nword = getpass.getpass('Secret: ')\nprint(len(word))",
        { answer: async (_prompt, password) => (password ? "hunter2" : "") },
      );
      expect(stdout).toBe("7\n");
      expect(text).not.toContain("hunter2");
      expect(events.filter((event) => event.type === "stdin")).toEqual([
        { type: "stdin", prompt: "Secret: ", password: true },
      ]);
    });

    test("an answer of Ctrl-D ends the input: EOFError", async (kernel) => {
      const { error } = await run(kernel, "input('Name? ')", { answer: async () => "\x04" });
      expect(error?.name).toBe("EOFError");
    });

    test("threads that ask at the same time all get their answers", async (kernel) => {
      const cell = py`
        import sys, threading
        sys.setswitchinterval(1e-6)
        got = []
        threads = [threading.Thread(target=lambda: got.append(input())) for _ in range(50)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        sys.setswitchinterval(0.005)
        print(len(got), set(got))
      `;
      expect((await run(kernel, cell, { answer: async () => "yes" })).stdout).toBe("50 {'yes'}\n");
    });

    test("input() reads from a sys.stdin that the cell has put in place", async (kernel) => {
      const cell =
        "import io, sys\nsys.stdin = io.StringIO('5\\n')\nprint(int(input()) + 1)\nsys.stdin = sys.__stdin__";
      const { stdout, events } = await run(kernel, cell);
      expect(stdout).toBe("6\n");
      expect(events.some((event) => event.type === "stdin")).toBe(false);
    });

    test("a conversation of questions, prints and answers keeps its order", async (kernel) => {
      const answers = ["1", "2", "stop"];
      const { events } = await run(
        kernel,
        py`
          while True:
              word = input("> ")
              print("got", word)
              if word == "stop":
                  break
        `,
        { answer: async () => answers.shift() ?? "stop" },
      );
      // ipykernel sends output five times a second, also in the middle of a line.
      const told = events.map((event) => (event.type === "stream" ? event.text : `<${event.type}>`)).join("");
      expect(told).toBe("<started><stdin>got 1\n<stdin>got 2\n<stdin>got stop\n<done>");
    });

    test("text printed before a question appears before it", async (kernel) => {
      const seen: string[] = [];
      await run(kernel, "print('first', end=' ')\ninput('then? ')", {
        onEvent: (event) => {
          if (event.type === "stream") seen.push(event.text);
          if (event.type === "stdin") seen.push(event.prompt);
        },
        answer: async () => "",
      });
      expect(seen).toEqual(["first ", "then? "]);
    });

    test("input() without a user to answer gets an explanation and an empty reply", async (kernel) => {
      const { result, stderr, events } = await run(kernel, "'got ' + repr(input('Anybody? '))");
      expect(result).toEqual({ "text/plain": `"got ''"` });
      expect(stderr).toContain("input()");
      expect(events.some((event) => event.type === "stdin" && event.prompt === "Anybody? ")).toBe(true);
    });

    test("getpass without a user to answer does not hang", async (kernel) => {
      const { result } = await run(kernel, "import getpass\ngetpass.getpass()");
      expect(result).toEqual({ "text/plain": "''" });
    });

    test("a cell that keeps asking without an answer is interrupted", async (kernel) => {
      const { outcome, events } = await run(kernel, "while True: input('Well? ')");
      expect(outcome).toBe("interrupted");
      expect(events.filter((event) => event.type === "stdin").length).toBe(4);
      expect(await printed(kernel, "print('fine')")).toBe("fine\n");
    });

    test("a cell can be interrupted while it asks, and its question is withdrawn", async (kernel) => {
      for (const ask of ["input()", "import getpass; getpass.getpass()"]) {
        let gaveUp = false;
        const { outcome, error } = await run(kernel, ask, {
          onEvent: (event) => {
            if (event.type === "stdin") void kernel.interrupt();
          },
          answer: (_prompt, _password, signal) =>
            new Promise((_, reject) => {
              signal.addEventListener("abort", () => {
                gaveUp = true;
                reject(signal.reason);
              });
            }),
        });
        expect(outcome).toBe("interrupted");
        expect(error?.name).toBe("KeyboardInterrupt");
        await until("the question is withdrawn", () => gaveUp);
        expect(await printed(kernel, "print('fine')")).toBe("fine\n");
      }
    });

    test("an answer that comes after the interrupt is dropped", async (kernel) => {
      let answerLate: ((text: string) => void) | undefined;
      const { outcome } = await run(kernel, "input()", {
        onEvent: (event) => {
          if (event.type === "stdin") void kernel.interrupt();
        },
        answer: () => new Promise((resolve) => (answerLate = resolve)),
      });
      expect(outcome).toBe("interrupted");
      answerLate?.("too late");
      const { result } = await run(kernel, "input()", { answer: async () => "in time" });
      expect(result).toEqual({ "text/plain": "'in time'" });
    });

    test("a host that refuses to answer interrupts the cell", async (kernel) => {
      const { outcome } = await run(kernel, "input()", { answer: () => Promise.reject(new Error("no")) });
      expect(outcome).toBe("interrupted");
    });

    test("a prompt may be any object, and input may be called in a thread", async (kernel) => {
      const cell = py`
        import threading
        thread = threading.Thread(target=lambda: print("got", input(42)))
        thread.start()
        thread.join()
      `;
      const { stdout, events } = await run(kernel, cell, { answer: async () => "it" });
      expect(stdout).toBe("got it\n");
      expect(events.some((event) => event.type === "stdin" && event.prompt === "42")).toBe(true);
    });

    test("reading sys.stdin or descriptor 0 finds the end of file, and so do children", async (kernel) => {
      const cell = py`
        import os, subprocess, sys
        print(repr(sys.stdin.read()), repr(sys.stdin.readline()), os.read(0, 10), list(sys.stdin))
        print(subprocess.run(["cat"], capture_output=True).stdout)
        print(subprocess.run([sys.executable, "-c", "input()"], capture_output=True).stderr[-40:])
      `;
      const stdout = await printed(kernel, cell);
      expect(stdout).toContain("'' '' b'' []\nb''\n");
      expect(stdout).toContain("EOFError");
    });

    test("a question between cells fails instead of waiting for ever", async (kernel) => {
      const heard = background(kernel);
      await run(
        kernel,
        py`
          import threading
          def ask():
              go.wait()
              try:
                  print("got", input("Hello? "))
              except EOFError as problem:
                  print("refused:", problem)
          go = threading.Event()
          threading.Thread(target=ask, daemon=True).start()
          timer = threading.Timer(0.05, go.set)
          timer.start()
        `,
      );
      await until("the thread has an answer", () => heard.text.includes("\n"));
      expect(heard.text).toMatch(/^(refused: .+|got )\n$/);
    });

    test("breakpoint() opens a debugger that takes commands", async (kernel) => {
      const answers = ["p secret", "c"];
      const { stdout, outcome } = await run(kernel, "secret = 6 * 7\nbreakpoint()\nprint('went on')", {
        answer: async () => answers.shift() ?? "c",
      });
      expect(outcome).toBe("ok");
      expect(stdout).toContain("42");
      expect(stdout).toContain("went on");
    });

    test("a debugger that waits at its prompt can be interrupted", async (kernel) => {
      const { outcome, stdout } = await run(kernel, "breakpoint()\nprint('went on')", {
        onEvent: (event) => event.type === "stdin" && void kernel.interrupt(),
        answer: () => new Promise(() => undefined),
      });
      expect(outcome).toBe("interrupted");
      expect(stdout).not.toContain("went on");
      expect(await printed(kernel, "print('fine')")).toBe("fine\n");
    });

    test("breakpoint() without an answer reports this once, however often the debugger asks", async (kernel) => {
      const { text } = await run(kernel, "breakpoint()");
      expect(text.match(/input\(\) (?:cannot be answered here|got an empty reply)/g)).toHaveLength(1);
    });

    test("breakpoint() without a user to answer does not hang, and the next cell runs", async (kernel) => {
      const { events } = await run(kernel, "for i in range(10):\n    breakpoint()");
      expect(events.at(-1)?.type).toBe("done");
      expect(await printed(kernel, "print('fine')")).toBe("fine\n");
    });
  });
}
