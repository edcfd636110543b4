import { expect, test } from "vitest";
import { notebookStatusLine } from "../../../../src/hosts/tui/notebook/paint/status-line.ts";
import type { KernelInfo } from "../../../../src/kernel/kernel.ts";
import { plainTheme } from "../../../../src/view/theme/theme.ts";

test("the line at the foot of a notebook says which sandbox there is", () => {
  const line = (sandbox: { sandbox?: string }) => {
    const info: KernelInfo = {
      language: "python",
      version: "3.13.0",
      executable: "/usr/bin/python3",
      backend: "runner",
      pid: 1,
      ...sandbox,
    };
    const status = { session: { life: "ready", generation: 1, info }, memory: null, running: null, now: 0 } as const;
    return notebookStatusLine(status, 80, plainTheme).trimEnd();
  };
  expect(line({ sandbox: "strict (bubblewrap)" })).toBe(
    "● idle · Python 3.13.0 · kernel 1 · sandbox: strict (bubblewrap)",
  );
  expect(line({})).toBe("● idle · Python 3.13.0 · kernel 1");
});
