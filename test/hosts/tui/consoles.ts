import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type StartConsoleOptions, startConsole } from "../../../src/hosts/tui/start-console.ts";
import { createRuntime, type Runtime } from "../../../src/runtime/runtime.ts";
import { newestPython } from "../../environment/pythons.ts";
import { keys } from "../../terminal/keys.ts";
import { VirtualTerminal } from "./virtual-terminal.ts";

export interface TestConsoleOptions extends Pick<StartConsoleOptions, "timeoutMs" | "pictures" | "stopProcess"> {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** A Python with packages, instead of the newest. */
  readonly python?: string;
  readonly home?: string;
}

/** A console on a virtual terminal, with a real Python. */
export class TestConsole {
  readonly terminal: VirtualTerminal;
  readonly folder: string;
  /** Settles when the console has been left. */
  readonly left: Promise<void>;
  readonly #leave = new AbortController();
  granary: Runtime | null = null;

  constructor(options: TestConsoleOptions = {}) {
    const { columns = 80, rows = 30, env: extra = {}, python = newestPython().path, ...rest } = options;
    this.terminal = new VirtualTerminal({ columns, rows });
    this.folder = mkdtempSync(join(tmpdir(), "c-"));
    const home = options.home ?? join(this.folder, "home");
    const env = {
      PATH: `${dirname(python)}:/usr/bin:/bin`,
      HOME: this.folder,
      GRANARY_HOME: home,
      TERM: "xterm-256color",
      COLORFGBG: "15;0",
      GRANARY_PYTHON_SKIP_CHECK: "1",
      ...extra,
    };
    this.left = startConsole({
      ...rest,
      device: this.terminal,
      env,
      cwd: this.folder,
      home,
      signal: this.#leave.signal,
      openRuntime: async () => {
        const settings = { python: { interpreter: python, idleMinutes: 0 } };
        this.granary = await createRuntime({ cwd: this.folder, env, settings });
        return this.granary;
      },
      savePicture: async () => join(home, "pictures", "plot.png"),
    });
    onTestFinished(async () => {
      this.#leave.abort();
      await this.left;
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  /** Types lines of code and runs them. */
  run(...lines: readonly string[]): void {
    if (lines.length === 1) this.terminal.type(...(lines[0] as string));
    else this.terminal.paste(`${lines.join("\n")}\n`);
    this.terminal.type(keys.enter);
  }

  shows(wanted: string | RegExp): Promise<void> {
    return this.terminal.shows(wanted);
  }
}
