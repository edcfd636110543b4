import { describe, expect, test } from "vitest";
import { environment } from "../../environment/pythons.ts";
import { firstFew } from "../../environment/variants.ts";
import { TestConsole } from "./consoles.ts";

const main = environment("main");

describe.skipIf("missing" in main)("values in the console", () => {
  const { python } = main as { python: string };

  const sizes = [
    [80, 24],
    [120, 40],
    [200, 50],
  ] as const;
  test.each(firstFew(sizes, 1))(
    "a data frame has the width of a terminal of %i columns, its first and its last rows",
    async (columns, rows) => {
      const console = new TestConsole({ python, columns, rows });
      console.run("import numpy as np, pandas as pd");
      console.run("pd.DataFrame(np.arange(4000).reshape(100, 40), columns=[f'column{n}' for n in range(40)])");
      await console.shows(/ {2}0 +0 [\s\S]* {2}99 +3960 .*\n\n {2}\[100 rows x 40 columns\]/);
      const [head = ""] = /^ +column0 .*$/m.exec(console.terminal.screen) ?? [];
      expect(head).toMatch(/\.\.\. .*column39$/);
      expect(head.length).toBeLessThanOrEqual(columns);
      expect(head.length).toBeGreaterThan(columns - 25);
    },
  );

  test("the next cell has the new width when the window's size changes", async () => {
    const console = new TestConsole({ python, columns: 100 });
    console.run("import numpy as np; np.arange(30) / 7");
    await console.shows(/array\(\[(?:[\d. ]+, ){6,}/);
    console.terminal.resize(40, 30);
    console.run("np.arange(9) / 7");
    await console.shows(/array\(\[0\. {8}, 0\.14285714,\n {9}0\.28571429, 0\.42857143,\n/);
  });

  test("a longer table shows its first and its last rows, and how many are between", async () => {
    const console = new TestConsole({ python, rows: 40 });
    console.run("import pandas as pd; pd.DataFrame({'n': range(50)})");
    await console.shows(/\n +n\n {2}0 +0\n[\s\S]*… 31 lines \(ctrl\+o shows all\)\n[\s\S]* {2}49 {2}49\n/);
  });

  test("dicts and rich's tables have colours, which NO_COLOR takes away", async () => {
    const code = "from rich.text import Text; display({'a': 1}); Text('painted', style='red')";
    const coloured = new TestConsole({ python });
    coloured.run(code);
    await coloured.shows(/\n {2}\{'a': 1\}\n {2}painted\n/);
    expect(coloured.terminal.written).toContain("\x1b[31mpainted\x1b[0m");
    expect(coloured.terminal.written).toMatch(/\{\S+'a'\S+: \S+1\S+\}/);
    const plain = new TestConsole({ python, env: { NO_COLOR: "1" } });
    plain.run(code);
    await plain.shows(/\n {2}\{'a': 1\}\n {2}painted\n/);
    expect(plain.terminal.written).toContain("  {'a': 1}");
    expect(plain.terminal.written).not.toContain("\x1b[31m");
  });
});

describe("long texts in the console", () => {
  test("the answer to obj? begins at its top", async () => {
    const console = new TestConsole({ rows: 40 });
    console.run("def f():", `    '''${Array.from({ length: 40 }, (_, n) => `line ${n}`).join("\n    ")}'''`);
    console.run("f?");
    await console.shows(
      /❯ f\?\n {2}Signature: +f\(\)\n[\s\S]*line 0\n[\s\S]*line 16\n {2}… \d+ more lines \(ctrl\+o shows all\)\n\n.*❯/,
    );
  });

  test("a cell that runs shows the beginning and the end of its output", async () => {
    const console = new TestConsole({ rows: 40 });
    console.run("for n in range(100): print('row', n)", "_ = input('on? ')");
    await console.shows(/\n {2}row 0\n[\s\S]*… 80 lines \(ctrl\+o shows all\)\n[\s\S]*row 99\n\non\?/);
  });

  test("a shell command shows both ends", async () => {
    const console = new TestConsole({ rows: 40 });
    console.run("!seq 100");
    await console.shows(/\n {2}1\n {2}2\n[\s\S]*… 80 lines \(ctrl\+o shows all\)\n[\s\S]* {2}100\n/);
  });
});

describe.skipIf("missing" in main)("pictures in the console", () => {
  const { python } = main as { python: string };
  const plot = "import matplotlib.pyplot as plt; plt.plot([1, 4, 9]);";
  const rowsOf = (text: string): number => text.split("\n").filter((line) => /^▀{10,}$/.test(line)).length;

  const rooms = [
    [120, 40, {}, 35],
    // Higher than the window: a person can scroll to the part above.
    [120, 24, { GRANARY_CONSOLE_PICTURE_ROWS: "40" }, 40],
    [80, 24, {}, 19],
    [120, 40, { GRANARY_CONSOLE_PICTURE_ROWS: "12" }, 12],
  ] as const;
  test.each(firstFew(rooms, 2))(
    "use the available room in %i × %i, or the room that the setting gives: %j",
    async (columns, rows, env, drawn) => {
      const console = new TestConsole({ python, columns, rows, env: { COLORTERM: "truecolor", ...env } });
      console.run(plot);
      await console.shows(/▀{10,}\n\[image\/png \d+x\d+ → .*plot\.png\]\n/);
      expect(rowsOf(console.terminal.scrollback)).toBe(drawn);
      expect(console.terminal.scrollback.match(/❯ import matplotlib/g)).toHaveLength(1);
      expect(console.terminal.scrollback).not.toMatch(/\n\n\n/);
    },
  );
});
