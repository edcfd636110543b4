import { describe, expect, test } from "vitest";
import { CompletionMenu } from "../../../src/hosts/tui/prompt/completion-menu.ts";
import { visibleWidth } from "../../../src/view/text/styled-text.ts";
import { environment } from "../../environment/pythons.ts";
import { keys } from "../../terminal/keys.ts";
import { expectScreen } from "../../view/golden.ts";
import { dark256 } from "../../view/samples.ts";
import { TestConsole } from "./consoles.ts";

const main = environment("main");

describe("the completion menu", () => {
  const menu = new CompletionMenu({
    matches: ["sort_index", "sort_values", "shape", "日本語", "a_name_that_is_longer_than_half_of_the_menu_is_wide"],
    start: 0,
    end: 1,
    details: [
      { kind: "function", signature: "(*, axis=0, level=None, ascending=True, inplace=False)" },
      { kind: "function", signature: "(by, *, axis=0)" },
      { kind: "property" },
      { kind: "instance" },
      { kind: "" },
    ],
  });

  test("shows the kind of each match, and the signature of functions", async () => {
    await expectScreen("completion-menu", menu.render(60, dark256), { width: 60, theme: dark256 });
  });

  test("is never wider than the screen", () => {
    for (let width = 4; width < 100; width++) {
      expect(Math.max(...menu.render(width, dark256).map(visibleWidth))).toBeLessThanOrEqual(width);
    }
  });

  test("shows names alone where nothing else is known", () => {
    const plain = new CompletionMenu({ matches: ["a", "b"], start: 0, end: 0 });
    expect(plain.render(20, dark256).map((row) => row.slice(-1))[1]).toBe("b");
  });
});

describe("completion in the console", () => {
  test("of keys, and of paths in strings", async () => {
    const console = new TestConsole();
    const { terminal } = console;
    console.run(
      "prices = {'apple': 1, 'apricot': 2}; open('notes-1.txt', 'w').close(); open('notes-2.txt', 'w').close()",
    );
    await console.shows(/❯ prices[\s\S]*\n\n.*❯\n/);
    terminal.type(...'prices["a', keys.tab);
    await console.shows(/❯ prices\["ap\n❯ apple +dict key\n {2}apricot +dict key\n/);
    terminal.type(keys.tab, keys.enter);
    await console.shows(/❯ prices\["apricot/);
    terminal.type(keys.ctrl("c"), ...'open("not', keys.tab);
    await console.shows(/❯ open\("notes-\n❯ notes-1\.txt +path\n {2}notes-2\.txt +path\n/);
  });

  test.skipIf("missing" in main).each(["runner", "zmq"])(
    "of a data frame's columns and methods, on %s",
    async (backend) => {
      const { python } = main as { python: string };
      const console = new TestConsole({ python, env: { GRANARY_PYTHON_BACKEND: backend } });
      const { terminal } = console;
      console.run("import pandas as pd; df = pd.DataFrame({'price': [1], 'product': [2]}); 'made'");
      await console.shows(/\n {2}'made'\n/);
      terminal.type(...'df["pr', keys.tab);
      await console.shows(/❯ df\["pr[\s\S]*\n❯ price/);
      terminal.type(keys.ctrl("c"), ..."df.sort_", keys.tab);
      await console.shows(/sort_index +function/);
    },
  );
});
