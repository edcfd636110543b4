import { startPython } from "../bare-python.mjs";
import { runCell, withKernel } from "../granary.mjs";
import { interleave, median } from "../measure.mjs";
import { timesTheFloor } from "../report.mjs";

const megabyte = 1_000_000;

/** @typedef {import("../setting.mjs").Setting} Setting */

/** @param {Setting} setting */
export async function printing(setting) {
  const megabytes = 100;
  const lines = (megabytes * megabyte) / 80;
  const long = await compare(setting, `for _ in range(${lines}): print("x" * 79)`, lines * 80);
  const short = await compare(setting, "for i in range(1_000_000): print(i)", 6_888_890);
  const speed = (/** @type {readonly number[]} */ samples) =>
    `${((megabytes / median(samples)) * 1000).toFixed(0)} MB/s`;
  const ratio = median(long.floor) / median(long.ours);
  return [
    {
      what: "100 MB of prints, lines of 80 characters",
      floor: speed(long.floor),
      ours: speed(long.ours),
      measured: `${ratio.toFixed(2)} ×`,
      target: "≥ 0.8 ×",
      met: ratio >= 0.8,
      peer: long.peer === undefined ? "" : speed(long.peer),
    },
    timesTheFloor({ what: "1,000,000 short prints", ...short, atMost: 1.3 }),
  ];
}

/**
 * @param {Setting} setting
 * @param {string} code
 * @param {number} bytes that it prints
 */
async function compare(setting, code, bytes) {
  const { jupyter, quick } = setting;
  const { floor, ours } = await withKernel(setting, (kernel) =>
    interleave(
      {
        floor: () => readRawPipe(setting, code, bytes),
        ours: async () => {
          const characters = await runCell(kernel, code);
          if (characters !== bytes) throw new Error(`${characters} of ${bytes} characters arrived`);
        },
      },
      { rounds: quick ? 3 : 9 },
    ),
  );
  const peer =
    jupyter && (await interleave({ peer: () => jupyter.run(code) }, { rounds: quick ? 1 : 3, warmUp: 0 })).peer;
  return { floor, ours, peer };
}

/**
 * Measures from the line that a started Python waits for to the last byte of its output.
 * @param {Setting} setting
 * @param {string} code
 * @param {number} bytes
 */
async function readRawPipe(setting, code, bytes) {
  const python = startPython(setting, `import sys; print("ready", flush=True); sys.stdin.readline()\n${code}`);
  await new Promise((resolve) => python.stdout.once("data", resolve));
  const begun = performance.now();
  await new Promise((resolve) => {
    let left = bytes;
    python.stdout.on("data", (chunk) => {
      left -= chunk.length;
      if (left === 0) resolve(undefined);
    });
    python.stdin.write("\n");
  });
  const milliseconds = performance.now() - begun;
  await python.end();
  return milliseconds;
}
