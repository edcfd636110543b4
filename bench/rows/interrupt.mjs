import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { startPython } from "../bare-python.mjs";
import { withKernel } from "../granary.mjs";
import { interleave, median, p95 } from "../measure.mjs";
import { showTimes } from "../report.mjs";

const busyLoop = "while True: pass";
const endless = {
  [`\`${busyLoop}\``]: busyLoop,
  "`time.sleep(100)`": "import time; time.sleep(100)",
  "`await asyncio.sleep(100)`": "import asyncio; await asyncio.sleep(100)",
};

const bareLoop = `
import os
while os.read(0, 1):
    try:
        os.write(1, b"running")
        while True: pass
    except KeyboardInterrupt:
        os.write(1, b"interrupted")
`;

/** @param {import("../setting.mjs").Setting} setting */
export async function interruptToResult({ jupyter, quick, ...setting }) {
  const rounds = quick ? 20 : 100;
  const python = startPython(setting, bareLoop);
  const samples = await withKernel(setting, (kernel) => {
    /** @type {Record<string, import("../measure.mjs").Subject>} */
    const subjects = { floor: () => interruptBare(python) };
    for (const [name, code] of Object.entries(endless)) subjects[name] = () => interrupted(kernel, code);
    return interleave(subjects, { rounds });
  });
  await python.end();
  const floor = /** @type {number[]} */ (samples.floor);
  const rows = [];
  for (const [name, code] of Object.entries(endless)) {
    const ours = /** @type {number[]} */ (samples[name]);
    rows.push({
      what: `interrupt to result, ${name}`,
      floor: code === busyLoop ? showTimes(floor) : "",
      ours: showTimes(ours),
      measured: showTimes(ours),
      target: code === busyLoop ? "≤ 0.5 ms, p95 ≤ 0.9 ms" : "",
      met: median(ours) <= 0.5 && p95(ours) <= 0.9,
      peer: jupyter ? await interruptPeer(jupyter, code, rounds / 5) : "",
    });
  }
  return rows;
}

/**
 * The same with only a signal and a pipe: no kernel can be faster on this machine.
 * @param {ReturnType<typeof startPython>} python
 */
async function interruptBare(python) {
  python.stdin.write("\n");
  await once(python.stdout, "data");
  await sleep(10);
  const begun = performance.now();
  const answered = once(python.stdout, "data");
  process.kill(python.pid, "SIGINT");
  await answered;
  return performance.now() - begun;
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
    if (milliseconds === null) return "still running after 5 s";
    samples.push(milliseconds);
  }
  return showTimes(samples);
}
