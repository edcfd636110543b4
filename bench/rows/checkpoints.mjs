import { readFileSync } from "node:fs";
import { runCell, startKernel } from "../granary.mjs";
import { interleave, median } from "../measure.mjs";

const contents = [
  { what: "an empty kernel", code: "pass", atMostMs: 3 },
  { what: "100 MB", code: "held = bytearray(100_000_000)", atMostMs: 10 },
  { what: "1 GB", code: "held = bytearray(1_000_000_000)", atMostMs: 40 },
];
const tableCells = 10;
const keptCopies = 5;

/**
 * A checkpoint before a cell, a kernel made out of one, and the memory that copies hold.
 * @param {import("../setting.mjs").Setting} setting
 */
export async function checkpoints(setting) {
  const rows = [];
  for (const content of contents) rows.push(...(await costs(setting, content)));
  return [...rows, await held(setting)];
}

/**
 * @param {import("../setting.mjs").Setting} setting
 * @param {(typeof contents)[number]} content
 */
async function costs(setting, { what, code, atMostMs }) {
  const kernel = await startKernel(setting);
  try {
    await runCell(kernel, code);
    await kernel.checkpoints?.ready();
    const { floor, ours } = await interleave(
      { floor: () => timedCell(kernel, false), ours: () => timedCell(kernel, true) },
      { rounds: setting.quick ? 10 : 50, warmUp: 2 },
    );
    const extra = median(ours) - median(floor);
    const copy = await runWithCheckpoint(kernel, "1");
    const { takeover } = await interleave(
      { takeover: () => restoreAndRun(copy) },
      { rounds: setting.quick ? 5 : 20, warmUp: 1 },
    );
    copy.drop();
    return [
      row(`a checkpoint before a cell, ${what}`, floor, extra, `≤ ${atMostMs} ms more`, extra <= atMostMs),
      row(
        `a kernel out of a checkpoint to its first result, ${what}`,
        floor,
        median(takeover),
        "≤ 60 ms",
        median(takeover) <= 60,
      ),
    ];
  } finally {
    await kernel.close();
  }
}

/** @param {import("../setting.mjs").Setting} setting */
async function held(setting) {
  const what = `memory of copies before ${tableCells} cells with a table of pandas`;
  const kernel = await startKernel(setting);
  const copies = [];
  try {
    await kernel.checkpoints?.ready();
    await runCell(
      kernel,
      "import pandas as pd, numpy as np\ndf = pd.DataFrame({'k': np.arange(1_000_000) % 7, 'v': 1.0})",
    );
    for (let cell = 0; cell < tableCells; cell++) {
      if (copies.length === keptCopies) copies.shift()?.drop();
      copies.push(await runWithCheckpoint(kernel, `df['c${cell}'] = df.v * ${cell}; df.groupby('k').v.sum()`));
    }
    const whole = memory(kernel.info.pid ?? 0, "Rss");
    const all = [kernel.info.pid ?? 0, ...copies.map(({ pid }) => pid)].reduce(
      (sum, pid) => sum + memory(pid, "Pss"),
      0,
    );
    const ratio = Math.max(0, all - whole) / whole;
    return {
      what,
      floor: `${whole.toFixed(0)} MB`,
      ours: `${Math.max(0, all - whole).toFixed(0)} MB more`,
      measured: `${ratio.toFixed(2)} ×`,
      target: "≤ 0.5 ×",
      met: ratio <= 0.5,
      peer: "",
    };
  } finally {
    for (const copy of copies) copy.drop();
    await kernel.close();
  }
}

/**
 * @param {import("../granary.mjs").Kernel} kernel
 * @param {string} code
 */
async function runWithCheckpoint(kernel, code) {
  /** @type {Promise<import("../../src/kernel/runner/checkpoints/kernel-checkpoint.ts").CheckpointAnswer> | undefined} */
  let answer;
  for await (const event of kernel.execute(code, { onCheckpoint: (given) => (answer = given) }))
    if (event.type === "error") throw new Error(event.traceback.join("\n"));
  const copy = await answer;
  if (copy === undefined || "whyNot" in copy) throw new Error(copy?.whyNot ?? "no checkpoint was asked for");
  return copy;
}

/**
 * In milliseconds, as its caller waits for it: the copy connects beside the cell.
 * @param {import("../granary.mjs").Kernel} kernel
 * @param {boolean} withCheckpoint
 */
async function timedCell(kernel, withCheckpoint) {
  const begun = performance.now();
  /** @type {Promise<import("../../src/kernel/runner/checkpoints/kernel-checkpoint.ts").CheckpointAnswer> | undefined} */
  let answer;
  for await (const event of kernel.execute("1", withCheckpoint ? { onCheckpoint: (given) => (answer = given) } : {}))
    if (event.type === "error") throw new Error(event.traceback.join("\n"));
  const milliseconds = performance.now() - begun;
  const copy = await answer;
  if (copy && "drop" in copy) copy.drop();
  return milliseconds;
}

/** @param {import("../../src/kernel/runner/checkpoints/kernel-checkpoint.ts").KernelCheckpoint} copy */
async function restoreAndRun(copy) {
  const kernel = await copy.restore({ isAlone: false, signal: AbortSignal.timeout(20_000) });
  await runCell(kernel, "1");
  void kernel.close();
}

/**
 * In megabytes.
 * @param {number} pid
 * @param {"Rss" | "Pss"} field
 */
function memory(pid, field) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "latin1");
  return Number(new RegExp(`^${field}: +(\\d+)`, "m").exec(text)?.[1] ?? 0) / 1000;
}

/**
 * @param {string} what
 * @param {readonly number[]} floor
 * @param {number} ours
 * @param {string} target
 * @param {boolean} met
 */
function row(what, floor, ours, target, met) {
  return {
    what,
    floor: `${median(floor).toFixed(2)} ms`,
    ours: `${ours.toFixed(2)} ms`,
    measured: "",
    target,
    met,
    peer: "",
  };
}
