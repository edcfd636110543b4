import { dirname } from "node:path";
import { inRepository } from "../../scripts/repository.mjs";
import { runProgram } from "../bare-python.mjs";
import { interleave } from "../measure.mjs";
import { timesTheFloor } from "../report.mjs";

/** @param {import("../setting.mjs").Setting} setting */
export async function commandLine({ python, env, quick }) {
  // Granary searches for its interpreter, so it must find that of this run.
  const chosen = { ...env, PATH: `${dirname(python)}:${env.PATH}`, VIRTUAL_ENV: dirname(dirname(python)) };
  const granary = ["run", "-c", "print(1)"];
  const { node, pass, ours } = await interleave(
    {
      node: () => runProgram(process.execPath, ["-e", "0"], { env }),
      pass: () => runProgram(python, ["-c", "pass"], { env }),
      ours: () => runProgram(process.execPath, [inRepository("bin/granary"), ...granary], { env: chosen }),
    },
    { rounds: quick ? 10 : 50, warmUp: 2 },
  );
  const floor = node.map((milliseconds, round) => milliseconds + /** @type {number} */ (pass[round]));
  const what = "`granary run -c 'print(1)'`, whole process";
  return [timesTheFloor({ what, floor, ours, atMost: 1.6 })];
}
