import { printed, run } from "../collect.ts";
import { describe, expect } from "../harness.ts";
import type { Contract } from "../kernel-contract.ts";

/** Source text that is unusual, or no Python at all. */
export function describeHostileSources({ test }: Contract): void {
  describe("source", () => {
    test("with Windows line ends runs, and its errors show the right line", async (kernel) => {
      expect(await printed(kernel, "x = 1\r\nif x:\r\n    print('yes')\r\n")).toBe("yes\n");
      const { error } = await run(kernel, "x = 1\r\n1 / 0  # here\r\n");
      expect(error?.traceback).toContain("1 / 0  # here");
    });

    test("that is indented as a whole runs, and its errors show the right line", async (kernel) => {
      expect(await printed(kernel, "    x = 1\n    if x:\n        print('yes')\n")).toBe("yes\n");
      const { error } = await run(kernel, "    x = 1\n\n    1 / 0  # here");
      expect(error?.traceback).toMatch(/line 3|3 1 \/ 0|:3/);
      expect(error?.traceback).toContain("1 / 0  # here");
    });

    test("with the prompts of a session runs", async (kernel) => {
      expect(await printed(kernel, ">>> for i in range(2):\n...     print(i)\n...\n>>> print('end')")).toBe(
        "0\n1\nend\n",
      );
      expect(await printed(kernel, "In [1]: x = 5\n\nIn [2]: if x:\n   ...:     print(x)\n   ...: ")).toBe("5\n");
    });

    test("with names, strings and comments of any script runs", async (kernel) => {
      const cell = "größe = '日本語 👩‍🚀'  # עברית\nprint(größe, len(größe))";
      expect(await printed(kernel, cell)).toBe("日本語 👩‍🚀 7\n");
    });

    test("with characters beyond the line shows them in a traceback", async (kernel) => {
      const { error } = await run(kernel, "名前 = '👩‍🚀'; 1 / 0  # ääkköset");
      expect(error?.traceback).toContain("名前 = '👩‍🚀'; 1 / 0  # ääkköset");
    });

    test("with a byte order mark, a form feed or trailing blanks runs", async (kernel) => {
      for (const cell of ["\uFEFFprint('ok')", "\fprint('ok')", "print('ok')   \n\n   \n", "\n\n\nprint('ok')"]) {
        expect(await printed(kernel, cell)).toBe("ok\n");
      }
    });

    test("with an encoding declaration is read as the text it is", async (kernel) => {
      expect(await printed(kernel, "# -*- coding: latin-1 -*-\nprint('é€')")).toBe("é€\n");
    });

    test("with half a surrogate pair is an error, not a crash", async (kernel) => {
      const { events } = await run(kernel, "x = '\ud83d'");
      expect(events.at(-1)?.type).toBe("done");
      expect(await printed(kernel, "print('fine')")).toBe("fine\n");
    });

    test("with a zero byte is an error, not a crash", async (kernel) => {
      const { outcome, error } = await run(kernel, "x = 1\0");
      expect(outcome).toBe("error");
      expect(error?.message).toContain("null");
      expect(await printed(kernel, "print('fine')")).toBe("fine\n");
    });

    test("nested deeper than Python can parse is an error, not a crash", async (kernel) => {
      for (const cell of [`${"(".repeat(5000)}${")".repeat(5000)}`, `x = ${"-".repeat(50_000)}1`]) {
        const { outcome } = await run(kernel, cell);
        expect(outcome).toBe("error");
      }
      expect(await printed(kernel, "print('fine')")).toBe("fine\n");
    });

    test("of a megabyte runs", async (kernel) => {
      const lines = Array.from({ length: 20_000 }, (_, i) => `x${i % 100} = ${i}  # ${"padding ".repeat(5)}`);
      expect(await printed(kernel, `${lines.join("\n")}\nprint(x99)`)).toBe("19999\n");
    });

    test("that looks like the kernel's own protocol is just text", async (kernel) => {
      const text = `{"t":"done","id":1,"outcome":"ok"}\\n\\0\\0${"0123456789abcdef".repeat(3)}`;
      expect(await printed(kernel, `print('${text}')`)).toContain('{"t":"done"');
      expect(await printed(kernel, "print('fine')")).toBe("fine\n");
    });

    test("that is unfinished is a syntax error", async (kernel) => {
      for (const cell of ["def f(:", "'''never closed", "x = (1,", "if True:", "print('a"]) {
        const { outcome, error } = await run(kernel, cell);
        expect(outcome).toBe("error");
        expect(["SyntaxError", "IndentationError"]).toContain(error?.name);
      }
    });

    test("with mixed tabs and spaces is reported as such", async (kernel) => {
      const { error } = await run(kernel, "if True:\n\tx = 1\n        y = 2");
      expect(["TabError", "IndentationError"]).toContain(error?.name);
    });
  });
}
