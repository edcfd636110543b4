import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import { newestPython } from "../../environment/pythons.ts";
import { RealTerminal } from "../../terminal/real-terminal.ts";

export interface FreshTerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  /** In addition to every test's variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** The first Python on PATH; the newest by default. */
  readonly python?: string;
}

/** A real terminal for a program, in a folder of its own, as for a user who starts Granary for the second time. */
export class FreshTerminal extends RealTerminal {
  readonly folder: string;

  constructor(command: readonly string[], options: FreshTerminalOptions = {}) {
    const { python = newestPython().path, env = {}, columns = 80, rows = 24 } = options;
    const folder = mkdtempSync(join(tmpdir(), "p-"));
    // Registered first, so it runs last: after the program has ended.
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    // Not the first run, whose greeting asks every Python: test/hosts/cli/first-steps/greeting.test.ts.
    mkdirSync(join(folder, "home"), { mode: 0o700 });
    super(command, {
      columns,
      rows,
      cwd: folder,
      env: {
        PATH: `${dirname(python)}:/usr/local/bin:/usr/bin:/bin`,
        HOME: folder,
        GRANARY_HOME: join(folder, "home"),
        GRANARY_PYTHON_SKIP_CHECK: "1",
        LANG: "C.UTF-8",
        TERM: "xterm-256color",
        COLORTERM: "truecolor",
        ...env,
      },
    });
    this.folder = folder;
  }
}

/** The built program. */
export const granaryCommand = [process.execPath, inRepository("bin/granary")];
