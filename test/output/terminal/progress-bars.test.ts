import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { Sink } from "../../../src/output/sink.ts";
import { environment } from "../../environment/pythons.ts";
import { asSeen, terminalOracle } from "./terminal-oracle.ts";

const main = environment("main");
const seen = terminalOracle({ columns: 200, rows: 100 });

/** Output of real libraries, one piece of Python each; all run in one process, which believes that it has a terminal. */
const programs = {
  oneBar: `
for _ in tqdm(range(50), **bar): pass
print("done", flush=True)`,
  barThatLeaves: `
for _ in tqdm(range(50), leave=False, **bar): pass
print("done")`,
  barWithWriting: `
for number in tqdm(range(3), **bar): tqdm.write(f"file {number}", file=sys.stdout)`,
  threeBars: `
bars = [tqdm(total=20, desc=f"worker {number}", position=number, **bar) for number in range(3)]
for step in range(20):
    for each in bars: each.update()
for each in bars: each.close()
print("\\n\\nall done")`,
  nestedBars: `
for _ in tqdm(range(3), desc="outer", position=0, **bar):
    for _ in tqdm(range(4), desc="inner", position=1, leave=False, **bar): pass
print("done")`,
  barInChinese: `
each = tqdm(total=2, desc="a long description", **bar)
each.set_description("下载"); each.update(2); each.close()`,
  rich: `
with Progress(console=console, auto_refresh=False) as progress:
    one, two = progress.add_task("download", total=3), progress.add_task("unpack", total=3)
    for step in range(3):
        progress.advance(one); progress.advance(two); progress.refresh()
        console.print(f"[green]step {step}[/green]")
print("done")`,
  richStatus: `
with console.status("working"): pass
print("done")`,
};

describe.skipIf("missing" in main)("bars of real libraries come to their last state", () => {
  const outputs = "missing" in main ? {} : record(main.python);

  test.each(Object.keys(programs) as (keyof typeof programs)[])("%s: as a terminal shows it", async (name) => {
    const output = outputs[name] ?? "";
    expect(output.includes("\r") || output.includes("\x1b[")).toBe(true);
    expect(asSeen(await textOf(output))).toBe(await seen(output));
  });

  test("one bar is one line", async () => {
    expect(lines(await textOf(outputs.oneBar))).toEqual([expect.stringMatching(/^100%\|█+\| 50\/50 \[/), "done"]);
  });

  test("a bar with leave=False leaves nothing", async () => {
    expect(await textOf(outputs.barThatLeaves)).toBe("done\n");
  });

  test("three bars are three lines", async () => {
    expect(lines(await textOf(outputs.threeBars))).toEqual([
      expect.stringMatching(/^worker 0: 100%.* 20\/20 /),
      expect.stringMatching(/^worker 1: 100%.* 20\/20 /),
      expect.stringMatching(/^worker 2: 100%.* 20\/20 /),
      "all done",
    ]);
  });

  test("text written between bars stays above them", async () => {
    expect(lines(await textOf(outputs.barWithWriting))).toEqual([
      "file 0",
      "file 1",
      "file 2",
      expect.stringMatching(/^100%.* 3\/3 /),
    ]);
  });

  test("rich's display is drawn once", async () => {
    const shown = lines(await textOf(outputs.rich));
    expect(shown).toEqual([
      "step 0",
      "step 1",
      "step 2",
      expect.stringMatching(/^download .*100%/),
      expect.stringMatching(/^unpack .*100%/),
      "done",
    ]);
  });
});

test("pip's way: hide the cursor, return, draw, erase", async () => {
  const draw = (percent: number) =>
    `\r\x1b[2K   \x1b[38;2;249;38;114m━━━\x1b[0m \x1b[32m${percent}%\x1b[0m eta 0:00:01`;
  const output = `Downloading x\n\x1b[?25l${[0, 33, 66, 100].map(draw).join("")}\r\x1b[2K   100%\n\x1b[?25hInstalled x\n`;
  expect(await textOf(output)).toBe("Downloading x\n   100%\nInstalled x\n");
});

async function textOf(output = ""): Promise<string> {
  const sink = new Sink();
  sink.write(output, "stdout");
  return (await sink.dump()).text;
}

const lines = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

function record(python: string): Record<string, string> {
  const script = `
import io, json, sys
from rich.console import Console
from rich.progress import Progress
from tqdm import tqdm
class Terminal(io.StringIO):
    encoding = "utf-8"
    def isatty(self): return True
outputs, real = {}, sys.stdout
for name, code in json.load(sys.stdin).items():
    sys.stdout = Terminal()
    bar = {"file": sys.stdout, "ncols": 60, "mininterval": 0, "ascii": False}
    console = Console(file=sys.stdout, force_terminal=True, width=60)
    exec(code)
    outputs[name] = sys.stdout.getvalue()
json.dump(outputs, real)`;
  const { stdout, stderr } = spawnSync(python, ["-c", script], { input: JSON.stringify(programs), encoding: "utf8" });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}
