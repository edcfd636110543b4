import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isMain } from "../../scripts/repository.mjs";
import { runCell, withKernel } from "../granary.mjs";

const allowedGrowthMegabytes = 8;

/**
 * Peak memory of a client that reads a little or a lot of output; each in a separate process.
 * @param {import("../setting.mjs").Setting} setting
 * @returns {Promise<import("../report.mjs").Row[]>}
 */
export async function clientMemory(setting) {
  const little = await peakOfClient(setting, 20);
  const lot = await peakOfClient(setting, 200);
  return [
    {
      what: "client memory, peak: 20 MB against 200 MB of prints",
      floor: `${little.toFixed(0)} MB`,
      ours: `${lot.toFixed(0)} MB`,
      measured: `${(lot - little).toFixed(1)} MB more`,
      target: `≤ ${allowedGrowthMegabytes} MB more`,
      met: lot - little <= allowedGrowthMegabytes,
      peer: "",
    },
  ];
}

/**
 * @param {import("../setting.mjs").Setting} setting
 * @param {number} megabytes
 */
async function peakOfClient({ python, env }, megabytes) {
  const args = [fileURLToPath(import.meta.url), python, String(megabytes)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return Number(stdout);
}

if (isMain(import.meta.url)) {
  const [python = "", megabytes = ""] = process.argv.slice(2);
  const env = /** @type {Record<string, string>} */ (process.env);
  const code = `for _ in range(${Number(megabytes) * 12_500}): print("x" * 79)`;
  await withKernel({ python, env }, (kernel) => runCell(kernel, code));
  process.stdout.write(String(process.resourceUsage().maxRSS / 1000));
}
