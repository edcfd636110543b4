import { expect, test } from "vitest";
import { StyledScreen } from "../../../src/hosts/page/client/text/styled-screen.ts";

/** Lines, with the classes of styled text in brackets. */
function shown(...chunks: string[]): readonly string[] {
  const screen = new StyledScreen();
  for (const chunk of chunks) screen.write(chunk);
  return screen.rows.map((row) =>
    row.map(({ text, style }) => (style.classes === "" ? text : `[${style.classes}:${text}]`)).join(""),
  );
}

test.each<[what: string, chunks: string[], lines: string[]]>([
  ["plain lines", ["one\ntwo\n"], ["one", "two", ""]],
  ["colours", ["a \u001b[32mgreen\u001b[0m b"], ["a [ansi-2:green] b"]],
  ["bold and bright, over a line end", ["\u001b[1;91mx\ny\u001b[m"], ["[bold ansi-9:x]", "[bold ansi-9:y]"]],
  ["a sequence that comes in two chunks", ["\u001b[3", "2mgreen"], ["[ansi-2:green]"]],
  ["a bar that writes its line again", ["10%\r20%\r100%\n"], ["100%", ""]],
  ["a shorter line over a longer one", ["long line\rshort"], ["shortline"]],
  ["an erased line", ["long line\r\u001b[Kshort"], ["short"]],
  ["two bars, by moving up", ["a 1\nb 1\u001b[A\ra 2\nb"], ["a 2", "b 1"]],
  ["backspaces", ["abc\b\bX"], ["aXc"]],
  ["links and titles, which are left out", ["\u001b]8;;http://x\u0007link\u001b]0;title\u0007"], ["link"]],
  ["absurd movements", ["\u001b[999999Bx\u001b[999999Ay\u001b[999999999Cz"], ["y", "x"]],
])("%s", (what, chunks, lines) => {
  const all = shown(...chunks);
  if (what === "absurd movements") expect(all.join("").length).toBeLessThan(1000);
  else expect(all).toEqual(lines);
});

test("colours out of 16 million are colours of CSS, and nothing else gets there", () => {
  const screen = new StyledScreen();
  screen.write("\u001b[38;2;1;2;300mx\u001b[0m\u001b[48;5;196my\u001b[0m\u001b[38;5;9999mz");
  const styles = screen.rows[0]?.map(({ style }) => [style.color, style.background]) ?? [];
  for (const value of styles.flat()) expect(value ?? "rgb(0 0 0)").toMatch(/^rgb\(\d{1,3} \d{1,3} \d{1,3}\)$/);
});
