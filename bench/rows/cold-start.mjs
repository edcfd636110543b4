import { runProgram } from "../bare-python.mjs";
import { runCell, startKernel } from "../granary.mjs";
import { interleave } from "../measure.mjs";
import { timesTheFloor } from "../report.mjs";

/** @param {import("../setting.mjs").Setting} setting */
export async function coldStart(setting) {
  const { python, env, jupyter, quick } = setting;
  const { floor, ours } = await interleave(
    {
      floor: () => runProgram(python, ["-c", "pass"], { env }),
      ours: () => startAndCompute(setting),
    },
    { rounds: quick ? 20 : 100, warmUp: 3 },
  );
  // Twenty times slower, so it has a separate loop.
  const peer = jupyter && (await interleave({ peer: () => jupyter.start() }, { rounds: quick ? 2 : 7 })).peer;
  return [timesTheFloor({ what: "cold start to the first result", floor, ours, peer, atMost: 1.6 })];
}

/** @param {import("../setting.mjs").Setting} setting */
async function startAndCompute(setting) {
  const begun = performance.now();
  const kernel = await startKernel(setting);
  await runCell(kernel, "1+1");
  const milliseconds = performance.now() - begun;
  await kernel.close();
  return milliseconds;
}
