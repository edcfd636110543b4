import { readFileSync } from "node:fs";
import { startPython } from "../bare-python.mjs";
import { runCell, withKernel } from "../granary.mjs";
import { median } from "../measure.mjs";

/**
 * Memory of a kernel that has run one cell, beside a bare Python that waits for input. Shared pages are
 * counted in proportion (PSS), so all processes run at the same time.
 * @param {import("../setting.mjs").Setting} setting
 * @returns {Promise<import("../report.mjs").Row[]>}
 */
export async function idleMemory(setting) {
  const { jupyter, quick } = setting;
  /** @type {{ floor: number[], ours: number[], peer: number[] }} */
  const samples = { floor: [], ours: [], peer: [] };
  for (let round = 0; round < (quick ? 3 : 9); round++) {
    const python = startPython(setting, 'print("ready", flush=True); input()');
    await new Promise((resolve) => python.stdout.once("data", resolve));
    await withKernel(setting, async (kernel) => {
      await runCell(kernel, "1+1");
      samples.floor.push(megabytesOf(python.pid));
      samples.ours.push(megabytesOf(/** @type {number} */ (kernel.info.pid)));
    });
    python.stdin.write("\n");
    await python.end();
  }
  if (jupyter) samples.peer.push(megabytesOf(await jupyter.pid()));
  const ratio = median(samples.ours) / median(samples.floor);
  return [
    {
      what: "idle kernel, PSS",
      floor: `${median(samples.floor).toFixed(1)} MB`,
      ours: `${median(samples.ours).toFixed(1)} MB`,
      measured: `${ratio.toFixed(2)} ×`,
      target: "≤ 2 ×",
      met: ratio <= 2,
      peer: jupyter ? `${median(samples.peer).toFixed(1)} MB` : "",
    },
  ];
}

/** @param {number} pid */
function megabytesOf(pid) {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const kilobytes = /^Pss:\s+(\d+)/m.exec(rollup)?.[1];
  return Number(kilobytes) / 1000;
}
