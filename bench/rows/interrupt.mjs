import { setTimeout as sleep } from "node:timers/promises";
import { withKernel } from "../granary.mjs";
import { interleave, p95 } from "../measure.mjs";
import { showTime, showTimes } from "../report.mjs";

const busyLoop = "while True: pass";
const endless = {
  [`\`${busyLoop}\``]: busyLoop,
  "`time.sleep(100)`": "import time; time.sleep(100)",
  "`await asyncio.sleep(100)`": "import asyncio; await asyncio.sleep(100)",
};

/** @param {import("../setting.mjs").Setting} setting */
export async function interruptToResult({ jupyter, quick, ...setting }) {
  const rounds = quick ? 20 : 100;
  const samples = await withKernel(setting, (kernel) => {
    const subjects = Object.entries(endless).map(([name, code]) => [name, () => interrupted(kernel, code)]);
    return interleave(/** @type {Record<string, () => Promise<number>>} */ (Object.fromEntries(subjects)), { rounds });
  });
  const rows = [];
  for (const [name, code] of Object.entries(endless)) {
    const ours = /** @type {number[]} */ (samples[name]);
    rows.push({
      what: `interrupt to result, ${name}`,
      floor: "",
      ours: showTimes(ours),
      measured: `p95 ${showTime(p95(ours))}`,
      target: code === busyLoop ? "p95 < 2 ms" : "",
      met: p95(ours) < 2,
      peer: jupyter ? await interruptPeer(jupyter, code, rounds / 5) : "",
    });
  }
  return rows;
}

/**
 * @param {import("../granary.mjs").Kernel} kernel
 * @param {string} code that runs for ever
 * @returns {Promise<number>} milliseconds from the interrupt to the end of the cell
 */
async function interrupted(kernel, code) {
  let begun = 0;
  for await (const event of kernel.execute(code)) {
    if (event.type === "started") {
      void sleep(10).then(() => {
        begun = performance.now();
        return kernel.interrupt();
      });
    }
    if (event.type === "done" && event.outcome !== "interrupted") throw new Error(`${code} was not interrupted`);
  }
  return performance.now() - begun;
}

/**
 * @param {import("../jupyter.mjs").Jupyter} jupyter
 * @param {string} code
 * @param {number} rounds
 */
async function interruptPeer(jupyter, code, rounds) {
  const samples = [];
  for (let round = 0; round < rounds; round++) {
    const milliseconds = await jupyter.interrupt(code);
    if (milliseconds === null) return "goes on for more than 5 s";
    samples.push(milliseconds);
  }
  return showTimes(samples);
}
