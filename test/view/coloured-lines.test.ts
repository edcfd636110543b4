import { expect, test } from "vitest";
import { colouredLines } from "../../src/view/text/coloured-lines.ts";

test("a text without colours returns null", () => {
  expect(colouredLines("plain\ntext")).toBeNull();
});

test("colours stay, and none extends beyond its line", () => {
  expect(colouredLines("\u001b[31mred\nstill\u001b[0m plain\n")).toEqual([
    "\u001b[31mred\u001b[39m",
    "\u001b[31mstill\u001b[0m plain",
  ]);
});

test("no other control sequence gets through", () => {
  const [line] = colouredLines("\u001b[31m\u001b]0;title\u0007a\u001b[2Jb\rc\u0008\u001b[0m") ?? [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: SGR sequences begin with one
  const withoutStyles = line?.replaceAll(/\u001b\[[\d;]*m/g, "");
  expect(withoutStyles).not.toMatch(/\p{Cc}/u);
  expect(withoutStyles).toContain("a");
});
