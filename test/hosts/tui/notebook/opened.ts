import { readFileSync } from "node:fs";
import { onTestFinished } from "vitest";
import { type OpenNotebookOptions, openNotebook } from "../../../../src/hosts/tui/notebook/open-notebook.ts";
import type { Runtime } from "../../../../src/runtime/runtime.ts";
import type { JsonObject } from "../../../../src/support/json/value.ts";
import { notebookFile, runtime } from "../../../execute/notebook-runs.ts";
import { VirtualTerminal } from "../virtual-terminal.ts";

export interface Opened {
  readonly terminal: VirtualTerminal;
  readonly path: string;
  readonly granary: Runtime;
  /** Settles when the view has been left. */
  readonly left: Promise<void>;
  /** Tells the program to end. */
  readonly stop: AbortController;
  /** The file's current text. */
  text(): string;
  /** Opens the selected cell, types into it, and ends the edit. */
  edit(...typed: readonly string[]): Promise<void>;
  /** Presses Escape and waits for its effect: with an immediate next key it would be another key. */
  pressEscape(): Promise<void>;
}

interface HowToOpen extends Partial<Pick<OpenNotebookOptions, "pictures" | "env">> {
  readonly columns?: number;
  readonly rows?: number;
  readonly python?: string;
}

/** A notebook in a virtual terminal, with a real Python. */
export async function opened(
  cells: readonly (string | JsonObject)[] | { readonly path: string },
  { columns = 80, rows = 24, env = {}, python, ...options }: HowToOpen = {},
): Promise<Opened> {
  const path = "path" in cells ? cells.path : notebookFile(cells);
  const terminal = new VirtualTerminal({ columns, rows });
  const stop = new AbortController();
  const granary = await runtime(python === undefined ? {} : { python });
  const left = openNotebook({
    path,
    session: granary.session(),
    maxCellMegabytes: 100,
    env: { TERM: "xterm-256color", COLORTERM: "truecolor", ...env },
    device: terminal,
    stopProcess: () => {},
    signal: stop.signal,
    ...options,
  });
  onTestFinished(async () => {
    stop.abort();
    await left;
    await granary.close();
  });
  await terminal.shows(/Enter edit|In nbformat/);
  const pressEscape = async () => {
    terminal.type("\x1b");
    await terminal.shows(/^(?![\s\S]*(?:Esc done|Esc cancel|Esc no))/);
  };
  const edit = async (...typed: readonly string[]) => {
    terminal.type("\r");
    await terminal.shows("Esc done");
    terminal.type(...typed);
    await pressEscape();
  };
  return { terminal, path, granary, left, stop, edit, pressEscape, text: () => readFileSync(path, "utf8") };
}
