import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inRepository } from "../../scripts/repository.mjs";
import { runProgram } from "../bare-python.mjs";
import { interleave } from "../measure.mjs";
import { timesTheFloor } from "../report.mjs";

const prints = "for i in range(1000): print('x' * 99999)";

/** @param {import("../setting.mjs").Setting} setting */
export async function hub({ python, env, quick }) {
  const home = mkdtempSync(join(tmpdir(), "granary-bench-hub-"));
  const chosen = {
    ...env,
    PATH: `${dirname(python)}:${env.PATH}`,
    VIRTUAL_ENV: dirname(dirname(python)),
    GRANARY_HOME: home,
    GRANARY_HUB: "auto",
  };
  /** @param {string[]} args */
  const granary = (...args) => runProgram(process.execPath, [inRepository("bin/granary"), ...args], { env: chosen });
  const rounds = quick ? 10 : 50;
  try {
    const first = await interleave(
      {
        node: () => runProgram(process.execPath, ["-e", "0"], { env }),
        ours: () => granary("run", "--session", "bench", "-c", "1"),
        // For the next round; its time is not used.
        stop: () => granary("hub", "stop"),
      },
      { rounds: quick ? 3 : 10, warmUp: 1 },
    );
    await granary("run", "--session", "bench", "-c", "1");
    const warm = await interleave(
      {
        node: () => runProgram(process.execPath, ["-e", "0"], { env }),
        direct: () => granary("run", "-c", "1"),
        ours: () => granary("run", "--session", "bench", "-c", "1"),
      },
      { rounds, warmUp: 2 },
    );
    const printing = await interleave(
      { direct: () => granary("run", "-c", prints), ours: () => granary("run", "--session", "bench", "-c", prints) },
      { rounds: quick ? 3 : 10, warmUp: 1 },
    );
    return [
      timesTheFloor({
        what: "`granary run --session` on a warm hub, whole process, beside `node -e 0`",
        floor: warm.node,
        ours: warm.ours,
        atMost: 1.15,
      }),
      timesTheFloor({
        what: "the same beside `granary run` without the hub",
        floor: warm.direct,
        ours: warm.ours,
        atMost: 1,
      }),
      timesTheFloor({
        what: "first cell with the start of the hub, whole process, beside `node -e 0`",
        floor: first.node,
        ours: first.ours,
        atMost: 6,
      }),
      timesTheFloor({
        what: "100 MB of prints through the hub, whole process, beside `granary run` without it",
        floor: printing.direct,
        ours: printing.ours,
        atMost: 1.67,
      }),
    ];
  } finally {
    await granary("hub", "stop", "--force");
    rmSync(home, { recursive: true, force: true });
  }
}
