import { oneCell } from "./one-cell.mjs";

const code = `for step in range(20_000):
    print("step", step, "loss", round(1 / (step + 1), 6))`;

/** @type {import("../task.mjs").Task} */
export const printedLines = {
  title: "20,000 printed lines",
  scripts: oneCell(code, judge),
};

/**
 * The first and the last line are what anyone looks for.
 * @param {import("../task.mjs").Answer} answer
 */
function judge({ text }) {
  const done = text.includes("step 0 loss 1.0") && text.includes("step 19999 loss 5e-05");
  return { done, isTrue: done };
}
