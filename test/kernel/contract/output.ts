import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { KernelEvent } from "../../../src/kernel/events.ts";
import { printed, run, runAndWhenReady } from "../collect.ts";
import { describe, expect } from "../harness.ts";
import type { Contract } from "../kernel-contract.ts";
import { py } from "../py.ts";

export function describeOutput({ test }: Contract): void {
  describe("output", () => {
    test("stdout and stderr arrive under their names", async (kernel) => {
      const { stdout, stderr } = await run(kernel, "import sys\nprint('out')\nprint('err', file=sys.stderr)");
      expect({ stdout, stderr }).toEqual({ stdout: "out\n", stderr: "err\n" });
    });

    test("a line without its end is also shown", async (kernel) => {
      expect(await printed(kernel, "print('no newline', end='')")).toBe("no newline");
    });

    test("output arrives while the cell still runs, without flush", async (kernel, folder) => {
      const cell = py`
        import os, time
        print("ready")
        while not os.path.exists("seen"):
            time.sleep(0.005)
        print("went on")
      `;
      const { stdout } = await runAndWhenReady(kernel, cell, () => writeFileSync(`${folder}/seen`, ""));
      expect(stdout).toBe("ready\nwent on\n");
    });

    test("stdout, stderr, displays and the result come in the order they happened", async (kernel) => {
      const { events } = await run(
        kernel,
        py`
          import sys
          for i in range(100):
              print(f"out {i}\n", end="")  # in one piece: ipykernel may send what a print has written so far
              print(f"err {i}\n", end="", file=sys.stderr)
              display(i)
          print("last")
          "result"
        `,
      );
      const rounds = Array.from({ length: 100 }, (_, i) => [`stdout out ${i}\n`, `stderr err ${i}\n`, `display ${i}`]);
      expect(story(events)).toEqual([...rounds.flat(), "stdout last\n", "result 'result'"]);
    });

    test("output of child processes keeps its place between prints", async (kernel) => {
      const { text } = await run(
        kernel,
        py`
          import os, subprocess, sys
          for i in range(5):
              print(f"a{i}")
              subprocess.run(["sh", "-c", f"echo b{i}"])
              print(f"c{i}", file=sys.stderr)
              subprocess.run(["sh", "-c", f"echo d{i} >&2"])
              print(f"e{i}", end="\n")
              os.system(f"echo f{i}")
        `,
      );
      expect(text).toBe([0, 1, 2, 3, 4].map((i) => `a${i}\nb${i}\nc${i}\nd${i}\ne${i}\nf${i}\n`).join(""));
    });

    test("an error comes after what was printed before it", async (kernel) => {
      const { events } = await run(kernel, "import sys\nprint('one')\nprint('two', file=sys.stderr)\n1/0");
      expect(story(events)).toEqual(["stdout one\n", "stderr two\n", "error ZeroDivisionError"]);
    });

    test("ten megabytes in one print arrive whole", async (kernel) => {
      const stdout = await printed(kernel, "print('0123456789' * 1024 * 1024)");
      expect(stdout.length).toBe(10 * 1024 * 1024 + 1);
      expect(stdout === `${"0123456789".repeat(1024 * 1024)}\n`).toBe(true);
    });

    test("a million short lines arrive complete and in order", async (kernel) => {
      const stdout = await printed(kernel, "for i in range(1_000_000): print(i)");
      const expected = Array.from({ length: 1_000_000 }, (_, i) => `${i}\n`).join("");
      expect(stdout === expected).toBe(true);
    });

    test("a reader that is slow loses nothing", async (kernel) => {
      const cell = "for i in range(30_000): print(i, 'x' * 100)";
      let count = 0;
      let length = 0;
      for await (const event of kernel.execute(cell)) {
        if (++count % 20 === 0) await sleep(2);
        if (event.type === "stream") length += event.text.length;
      }
      expect(length).toBe(Array.from({ length: 30_000 }, (_, i) => `${i} ${"x".repeat(100)}\n`).join("").length);
    });

    test("text of any script arrives as it was printed", async (kernel) => {
      const text = "Grüße, Ελλάδα, 日本語, עברית, हिन्दी, 👩‍🚀🏳️‍🌈, \u0000, \u001b[31mred\u001b[0m, a\rb\bc\td";
      const { stdout, stderr } = await run(
        kernel,
        `import sys\nprint(${JSON.stringify(text)})\nprint(${JSON.stringify(text)}, file=sys.stderr)`,
      );
      expect(stdout).toBe(`${text}\n`);
      expect(stderr).toBe(`${text}\n`);
    });

    test("half a surrogate pair does not stop a print", async (kernel) => {
      const { outcome, stdout } = await run(kernel, py`print("a\ud83d" + "b")`);
      expect(outcome).toBe("ok");
      expect(stdout).toMatch(/^a.+b\n$/);
    });

    test("bytes that are not UTF-8 become replacement characters and harm nothing around them", async (kernel) => {
      const stdout = await printed(kernel, py`import sys; _ = sys.stdout.buffer.write(b"before \xff\xfe\x80 after\n")`);
      expect(stdout).toMatch(/^before \uFFFD+ after\n$/);
    });

    test("a cell that ends in the middle of a character does not spoil the next one", async (kernel) => {
      const cut = await printed(kernel, py`import sys; n = sys.stdout.buffer.write("cut \u20ac".encode()[:-1])`);
      expect(cut).toMatch(/^cut \uFFFD+$/);
      expect(await printed(kernel, "print('€')")).toBe("€\n");
    });

    test("a character whose bytes come in pieces stays one character", async (kernel) => {
      const stdout = await printed(
        kernel,
        py`
          import os, time
          for byte in "\u20ac\U0001f469".encode():
              n = os.write(1, bytes([byte]))
              time.sleep(0.01)
        `,
      );
      expect(stdout).toBe("€👩");
    });

    test("a zero byte at the end belongs to the cell that wrote it", async (kernel) => {
      const zero = "import os, time; n = os.write(1, b'a\\0'); n = os.write(2, b'b\\0'); time.sleep(0.05)";
      const { stdout, stderr } = await run(kernel, zero);
      expect({ stdout, stderr }).toEqual({ stdout: "a\0", stderr: "b\0" });
      expect(await printed(kernel, "print('next')")).toBe("next\n");
    });

    test("bytes written to the descriptors just before the end belong to the cell", async (kernel) => {
      for (let round = 0; round < 60; round++) {
        const { stdout, stderr } = await run(kernel, "import os\nn = os.write(1, b'out')\nn = os.write(2, b'err')");
        expect({ stdout, stderr }).toEqual({ stdout: "out", stderr: "err" });
      }
    });

    test("output of C code is shown", async (kernel) => {
      const cell = "import ctypes; n = ctypes.CDLL(None).write(1, b'from C\\n', 7)";
      expect(await printed(kernel, cell)).toBe("from C\n");
    });
  });
}

/** The events, with neighbouring text of one stream joined and cut at line ends. */
function story(events: readonly KernelEvent[]): string[] {
  const told: string[] = [];
  let previous = "";
  for (const event of events) {
    if (event.type === "stream") {
      if (previous === event.name) told.push(`${told.pop() ?? ""}${event.text}`);
      else told.push(`${event.name} ${event.text}`);
    } else if (event.type === "display" || event.type === "result") {
      told.push(`${event.type} ${event.data["text/plain"]}`);
    } else if (event.type === "error") told.push(`error ${event.name}`);
    previous = event.type === "stream" ? event.name : "";
  }
  return told;
}
