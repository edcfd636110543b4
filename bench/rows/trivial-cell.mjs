import { startPython } from "../bare-python.mjs";
import { runCell, withKernel } from "../granary.mjs";
import { interleave } from "../measure.mjs";
import { timesTheFloor } from "../report.mjs";

/** @typedef {import("../setting.mjs").Setting} Setting */

/** @param {Setting} setting */
export function trivialCell(setting) {
  return withKernel(setting, async (kernel) => [
    timesTheFloor({ what: "warm trivial cell, `1+1`", ...(await compare(kernel, "1+1", setting)), atMost: 3 }),
    timesTheFloor({ what: "the same, `pass`", ...(await compare(kernel, "pass", setting)) }),
    timesTheFloor({ what: "the same, `print(1)`", ...(await compare(kernel, "print(1)", setting)) }),
  ]);
}

/**
 * One round trip of each in turn: in a long run of one kind, a process stays awake and in the caches between its turns,
 * as it does for nobody who has other things to do between two cells.
 * @param {import("../granary.mjs").Kernel} kernel
 * @param {string} code
 * @param {Setting} setting
 */
async function compare(kernel, code, setting) {
  const { jupyter, quick } = setting;
  const echo = startEcho(setting);
  const { floor, ours } = await interleave(
    {
      floor: echo.roundTrip,
      ours: async () => void (await runCell(kernel, code)),
    },
    { rounds: quick ? 1000 : 5000, warmUp: 200 },
  );
  await echo.end();
  const peer = jupyter && (await interleave({ peer: () => jupyter.run(code) }, { rounds: quick ? 20 : 100 })).peer;
  return { floor, ours, peer };
}

/** @param {Setting} setting */
function startEcho(setting) {
  const python = startPython(setting, echo);
  let answered = () => {};
  python.stdout.on("data", () => answered());
  return {
    end: python.end,
    /** @returns {Promise<void>} */
    roundTrip: () =>
      new Promise((resolve) => {
        answered = resolve;
        python.stdin.write(line);
      }),
  };
}

const echo = `
import os
while True:
    data = os.read(0, 65536)
    if not data:
        break
    os.write(1, data)
`;

// About as long as a request and its answer.
const line = `${"x".repeat(80)}\n`;
