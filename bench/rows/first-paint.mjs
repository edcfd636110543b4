import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inRepository } from "../../scripts/repository.mjs";
import { runProgram } from "../bare-python.mjs";
import { interleave } from "../measure.mjs";
import { timesTheFloor } from "../report.mjs";

/** @param {import("../setting.mjs").Setting} setting */
export async function firstPaint({ python, env, quick }) {
  const home = mkdtempSync(join(tmpdir(), "granary-bench-"));
  const inTerminal = { ...env, TERM: "xterm-256color", GRANARY_HOME: home };
  const loadLibrary = `await import(${JSON.stringify(import.meta.resolve("@earendil-works/pi-tui"))})`;
  const { floor, ours } = await interleave(
    {
      floor: () => runProgram(process.execPath, ["--input-type=module", "-e", loadLibrary], { env }),
      ours: () => untilPrompt(python, [process.execPath, inRepository("bin/granary")], inTerminal),
    },
    { rounds: quick ? 10 : 30, warmUp: 2 },
  );
  rmSync(home, { recursive: true, force: true });
  const what = "first paint of the empty console; floor: `node` loading pi-tui";
  return [timesTheFloor({ what, floor, ours, atMost: 1.5 })];
}

/**
 * The time from the program's start in its own terminal until the terminal shows the prompt.
 * @param {string} python
 * @param {readonly string[]} command
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {Promise<number>} milliseconds
 */
async function untilPrompt(python, command, env) {
  const script = fileURLToPath(new URL("../first_paint.py", import.meta.url));
  const child = spawn(python, [script, ...command], { env, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  for await (const chunk of child.stdout) said += chunk;
  return Number(said);
}
