import { readdirSync, readFileSync } from "node:fs";
import { runProgram } from "../bare-python.mjs";
import { openWarm, runCell, startKernel } from "../granary.mjs";
import { interleave } from "../measure.mjs";
import { timesTheFloor } from "../report.mjs";

const modules = ["numpy", "pandas", "matplotlib.pyplot"];
const useThem =
  "import numpy as np, pandas as pd, matplotlib.pyplot as plt\npd.DataFrame({'a': np.arange(3)}).a.sum(), plt.rcParams['backend']";
const kernels = 8;
const sessions = 100;

/**
 * Kernels that are forked from a warm interpreter, beside Python's own start and beside kernels that start one each.
 * @param {import("../setting.mjs").Setting} setting
 */
export async function warmStart(setting) {
  return [
    await bareStart(setting),
    ...(await withLibraries(setting)),
    ...(await cellsBeside(setting)),
    await manySessions(setting),
  ];
}

/** @param {import("../setting.mjs").Setting} setting */
async function bareStart(setting) {
  const { python, env, quick } = setting;
  const warm = await openWarm(setting, []);
  try {
    const { floor, ours } = await interleave(
      { floor: () => runProgram(python, ["-c", "pass"], { env }), ours: () => startAndRun(warm, "1+1") },
      { rounds: quick ? 20 : 100, warmUp: 3 },
    );
    return timesTheFloor({ what: "warm kernel to its first result", floor, ours, atMost: 0.3 });
  } finally {
    await warm.close();
  }
}

/** @param {import("../setting.mjs").Setting} setting */
async function withLibraries(setting) {
  const { quick } = setting;
  const what = "warm kernel with numpy, pandas and pyplot, used in its first cell";
  if (!(await hasModules(setting))) return [missing(what), missing(`${kernels} kernels with pandas, PSS`)];
  const warm = await openWarm(setting, modules);
  try {
    const { floor, ours } = await interleave(
      {
        floor: () => startAndRun({ start: () => startKernel(setting) }, useThem),
        ours: () => startAndRun(warm, useThem),
      },
      { rounds: quick ? 3 : 15 },
    );
    return [timesTheFloor({ what, floor, ours, atMost: 0.05 }), await sharedMemory(setting)];
  } finally {
    await warm.close();
  }
}

/** @param {import("../setting.mjs").Setting} setting */
async function sharedMemory(setting) {
  const cold = await memoryOf(() => startKernel(setting));
  const warm = await openWarm(setting, ["pandas"]);
  const forked = await memoryOf(() => warm.start()).finally(() => warm.close());
  const ratio = forked / cold;
  return {
    what: `${kernels} kernels with pandas, PSS`,
    floor: `${cold.toFixed(0)} MB`,
    ours: `${forked.toFixed(0)} MB`,
    measured: `${ratio.toFixed(2)} ×`,
    target: "≤ 0.45 ×",
    met: ratio <= 0.45,
    peer: "",
  };
}

/**
 * All of them with the interpreter that they were forked from, which is shared.
 * @param {() => Promise<import("../granary.mjs").Kernel>} start
 */
async function memoryOf(start) {
  const all = [];
  for (let count = 0; count < kernels; count++) {
    const kernel = await start();
    await runCell(kernel, "import pandas as pd; frame = pd.DataFrame({'a': range(1000)}); frame.describe()");
    all.push(kernel);
    await new Promise((resolve) => setTimeout(resolve, 50)); // until there is a spare again
  }
  const pids = all.map((kernel) => /** @type {number} */ (kernel.info.pid));
  const parents = new Set(pids.map(parentOf).filter((pid) => pid !== process.pid));
  const total = [...pids, ...parents].map(megabytesOf).reduce((sum, each) => sum + each, 0);
  await Promise.all(all.map((kernel) => kernel.close()));
  return total;
}

/**
 * The same cells in a spawned and in a forked kernel.
 * @param {import("../setting.mjs").Setting} setting
 */
async function cellsBeside(setting) {
  const warm = await openWarm(setting, []);
  const [spawned, forked] = [await startKernel(setting), await warm.start()];
  const beside = async (/** @type {string} */ what, /** @type {string} */ cell, /** @type {number} */ rounds) => {
    const run = {
      floor: () => runCell(spawned, cell).then(() => {}),
      ours: () => runCell(forked, cell).then(() => {}),
    };
    return timesTheFloor({ what, ...(await interleave(run, { rounds, warmUp: 3 })), atMost: 1.1 });
  };
  const { quick } = setting;
  const rows = [
    await beside("`1+1` in a warm kernel, beside a spawned one", "1+1", quick ? 1000 : 5000),
    await beside("200,000 prints, likewise", "for _ in range(200000): print('x' * 80)", quick ? 5 : 20),
  ];
  await Promise.all([spawned.close(), forked.close()]);
  await warm.close();
  return rows;
}

/** @param {import("../setting.mjs").Setting} setting */
async function manySessions(setting) {
  const before = readdirSync("/proc/self/fd").length;
  const warm = await openWarm(setting, []);
  const pids = new Set();
  for (let count = 0; count < sessions; count++) {
    const kernel = await warm.start();
    const pid = /** @type {number} */ (kernel.info.pid);
    pids.add(pid).add(parentOf(pid));
    await runCell(kernel, "1+1");
    await kernel.close();
  }
  await warm.close();
  await new Promise((resolve) => setTimeout(resolve, 100));
  pids.delete(process.pid);
  const left = [...pids].filter((pid) => readdirSync("/proc").includes(String(pid))).length;
  const descriptors = Math.max(0, readdirSync("/proc/self/fd").length - before);
  return {
    what: `${sessions} warm kernels opened, used, closed: processes and descriptors left`,
    floor: "0",
    ours: `${left} and ${descriptors}`,
    measured: `${left + descriptors}`,
    target: "0",
    met: left + descriptors === 0,
    peer: "",
  };
}

/**
 * @param {{ start(): Promise<import("../granary.mjs").Kernel> }} source
 * @param {string} cell
 */
async function startAndRun(source, cell) {
  const begun = performance.now();
  const kernel = await source.start();
  await runCell(kernel, cell);
  const milliseconds = performance.now() - begun;
  await kernel.close();
  await new Promise((resolve) => setTimeout(resolve, 20)); // until there is a spare again, as between two sessions
  return milliseconds;
}

/** @param {import("../setting.mjs").Setting} setting */
async function hasModules({ python, env }) {
  return runProgram(python, ["-c", `import ${modules.join(", ")}`], { env }).then(
    () => true,
    () => false,
  );
}

/** @param {string} what */
function missing(what) {
  return { what, floor: "", ours: "needs numpy, pandas and matplotlib", measured: "", target: "", met: true, peer: "" };
}

/** @param {number} pid */
function parentOf(pid) {
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]);
}

/** @param {number} pid */
function megabytesOf(pid) {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]) / 1000;
}
