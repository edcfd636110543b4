import xterm from "@xterm/headless";
import { widthOf } from "../../../src/output/text/column-width.ts";

/** A real terminal, to ask what it shows in the end. */
export function terminalOracle({ columns, rows }: { columns: number; rows: number }) {
  const terminal = new xterm.Terminal({
    cols: columns,
    rows,
    scrollback: 10_000,
    convertEol: true,
    allowProposedApi: true,
  });
  return async (output: string | Uint8Array): Promise<string> => {
    terminal.reset();
    await new Promise<void>((resolve) => terminal.write(output, resolve));
    const { active } = terminal.buffer;
    const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? "");
    return asSeen(lines.join("\n"));
  };
}

/** Text as it looks: tabs as blanks, nothing that is blank at the ends of lines and below the last one. */
export function asSeen(text: string): string {
  const lines = text.split("\n").map((line) => withoutTabs(line).trimEnd());
  return lines.join("\n").trimEnd();
}

function withoutTabs(line: string): string {
  return line.split("\t").reduce((shown, part) => shown + " ".repeat(8 - (widthOf(shown) % 8)) + part);
}
