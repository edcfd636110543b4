import { readFileSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inRepository } from "../../../../scripts/repository.mjs";
import { encodePng } from "../../../../src/output/pictures/png-encode.ts";
import { usualCellPixels } from "../../../../src/view/pictures/picture-block.ts";
import { py } from "../../../kernel/py.ts";
import { RealTerminal } from "../../../terminal/real-terminal.ts";
import { baseEnvironment, granary, testFolder } from "../granary.ts";

const colourful = { TERM: "xterm-256color" };

function open(command: readonly string[], env: Readonly<Record<string, string>> = colourful): RealTerminal {
  // Paths of temporary folders may be long.
  return new RealTerminal(command, { columns: 300, cwd: testFolder, env: { ...baseEnvironment(), ...env } });
}

/** Runs a command in a real terminal to its end. */
async function onTerminal(command: readonly string[], env?: Readonly<Record<string, string>>) {
  const terminal = open(command, env);
  const exitCode = await terminal.exited;
  await terminal.hasShown("");
  return { exitCode, screen: terminal.scrollback, written: terminal.written };
}

const program = [process.execPath, inRepository("bin/granary")];
const run = (code: string, env?: Readonly<Record<string, string>>) => onTerminal([...program, "run", "-c", code], env);

/** Two pixels, a red one and a blue one. */
const picture = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR42mP4zwAE/wEHAAH/PX2MSQAAAABJRU5ErkJggg==";
const showPicture = `display({"image/png": "${picture}", "text/plain": "<Figure>"}, raw=True)`;

describe("granary run on a terminal", () => {
  test("keeps the colours of coloured text, as rich prints it, and a pipe gets none", async () => {
    const code = 'display({"text/plain": "\\x1b[31mred\\x1b[0m plain", "text/html": "<b>red</b>"}, raw=True)';
    expect((await run(code)).written).toContain("\u001b[31mred\u001b[0m plain");
    expect((await run(code, { ...colourful, NO_COLOR: "1" })).written).not.toContain("\u001b[31m");
    expect((await granary(["run", "-c", code])).stdout).toBe("red plain\n");
  });

  test("shows a value as a tree, and Markdown rendered", async () => {
    const code = py`
      display({"application/json": {"name": "granary", "sizes": [1, 2]}}, raw=True)
      display({"text/markdown": "# Title\n\n- one\n- **two**", "text/plain": "not this"}, raw=True)
      display({"application/json": {"a": 1}, "text/plain": "a text of its own"}, raw=True)
    `;
    const { screen } = await run(code);
    expect(screen).toBe(
      [
        "{2 keys}",
        '├ name: "granary"',
        "└ sizes: [2 items]",
        "  ├ 0: 1",
        "  └ 1: 2",
        "# Title",
        "",
        "• one",
        "• two",
        "a text of its own",
      ].join("\n"),
    );
  });

  test("draws a picture where it was displayed, regardless of the text around it", async () => {
    const { screen } = await run(`print("<Figure>"); ${showPicture}; print("middle"); print("<Figure>")`);
    expect(screen).toMatch(/^<Figure>\n▀+\n\[image\/png 2x1 → .*\.png\]\nmiddle\n<Figure>$/);
  });

  test("reports the helpers' last three actions at a cell's end", async () => {
    const code = py`
      write_file("notes.txt", "hello")
      for number in range(4):
          display({"application/x-granary-status": {"op": "read", "path": f"{number}.txt"}}, raw=True)
      print("no line end", end="")
    `;
    const shown = ["no line end", "  … 2 earlier events", "  · read 1.txt", "  · read 2.txt", "  · read 3.txt"];
    expect((await run(code)).screen).toBe(shown.join("\n"));
    const simple = await run(code, { TERM: "dumb" });
    expect(simple.screen).toBe(shown.join("\n"));
    expect(simple.written).not.toContain("\u001b");
  });

  test("shows what helpers do below the output while they run", async () => {
    const code = py`
      import os, time
      with progress(2, "work") as work:
          print("one")
          while not os.path.exists("go"):
              time.sleep(0.01)
          print("t", end="")
          work.advance(2)
          print("wo", flush=True)
      print(input("Name? "))
    `;
    const terminal = open([...program, "run", "-c", code]);
    await terminal.shows(/^one\n {2}· work ░{12} 0 of 2$/);
    writeFileSync(join(testFolder, "go"), "");
    await terminal.shows(/^one\ntwo\nName\?$/);
    terminal.type("Ada\r");
    expect(await terminal.exited).toBe(0);
    await terminal.shows(/^one\ntwo\nName\? Ada\nAda\n {2}· work █{12} 2 of 2$/);
  });

  test("shows a traceback in colours, and without them where they are turned off", async () => {
    const code = "print('before'); 1/0";
    const coloured = await run(code);
    expect(coloured.written).toContain("\u001b[38;5;203mZeroDivisionError: division by zero\u001b[39m");
    const plain = await run(code, { ...colourful, NO_COLOR: "1" });
    expect(plain.written).not.toContain("\u001b");
    expect(plain.screen).toBe(coloured.screen);
    expect(plain.exitCode).toBe(1);
  });

  test("says where to read a long output again", async () => {
    const { screen } = await run("for number in range(5_000): print(number)");
    const [, id = ""] = /4999\n {2}5,000 lines, .* KB\. All of it: artifact:\/\/(\S+)$/.exec(screen) ?? [];
    const { stdout } = await granary(["artifact", id, "--lines", "5000"]);
    expect(stdout).toContain("4999");
  });

  test("a display cannot change the window", async () => {
    const { screen, written } = await run(`display({"text/plain": "\\x1b]0;mine\\x07text"}, raw=True)`);
    expect(screen).toBe("text");
    expect(written).not.toContain("\u001b]");
  });
});

describe("a picture on a terminal", () => {
  const itsPath = /\[image\/png 2x1 → (\S+\.png)\]$/;

  test("is drawn in characters, and its file is named", async () => {
    const { screen } = await run(showPicture);
    expect(screen).toMatch(/^▀▀\n\[image/);
    expect(readFileSync(itsPath.exec(screen)?.[1] ?? "", "base64")).toBe(picture);
  });

  test("is sent to a terminal that can draw", async () => {
    const { written, screen } = await run(showPicture, { TERM: "xterm-kitty" });
    expect(written).toContain(`${picture}\u001b\\`);
    expect(screen).toMatch(itsPath);
  });

  test("has its room even at the foot of the screen, where a terminal draws over later lines", async () => {
    const rows = 5;
    const { width, height } = { width: usualCellPixels.width, height: usualCellPixels.height * rows };
    const high = (await encodePng({ width, height, rgba: new Uint8Array(width * height * 4).fill(255) })).toString(
      "base64",
    );
    const code = `for number in range(100): print(number)\ndisplay({"image/png": "${high}"}, raw=True)`;
    const { screen, written } = await run(code, { TERM: "xterm-kitty" });
    expect(written).toContain(`${"\u001bD".repeat(rows - 1)}\u001b[${rows - 1}A\u001b_G`);
    expect(screen).toMatch(/\n98\n99\n{6}\[image\/png 9x90 → \S+\]$/);
  });

  test("is only named where there are no colours to draw it with, or drawing is turned off", async () => {
    const colourless = await run(showPicture, { ...colourful, NO_COLOR: "1" });
    expect(colourless.screen).toMatch(itsPath);
    expect(colourless.screen).not.toContain("▀");
    const home = join(testFolder, "no-pictures");
    await mkdir(home);
    writeFileSync(join(home, "settings.json"), JSON.stringify({ console: { pictures: "none" } }));
    const unwanted = await run(showPicture, { ...colourful, GRANARY_HOME: home });
    expect(unwanted.screen).toMatch(itsPath);
    expect(unwanted.screen).not.toContain("▀");
  });
});

test("a stream redirected to a file is the same as without a terminal", async () => {
  const code = `${showPicture}; display({"application/json": [1]}, raw=True); write_file("f.txt", ""); 1/0`;
  const piped = await granary(["run", "-c", code]);
  const inShell = (redirection: string) =>
    onTerminal(["sh", "-c", `"$@" ${redirection}`, "sh", ...program, "run", "-c", code]);
  await inShell(">stdout.txt");
  await inShell("2>stderr.txt");
  expect(readFileSync(join(testFolder, "stdout.txt"), "utf8")).toBe(piped.stdout);
  expect(readFileSync(join(testFolder, "stderr.txt"), "utf8")).toBe(piped.stderr);
  expect(piped.stdout).toMatch(/^\[image\/png 2x1 → .*\]\n\[1\]\n$/);
});
