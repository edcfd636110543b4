import { oneCell } from "./one-cell.mjs";

const code = `for step in range(20_000):
    print("step", step, "loss", round(1 / (step + 1), 6))`;

/** @type {import("../task.mjs").Task} */
export const printedLines = {
  title: "20,000 printed lines",
  scripts: oneCell(code, judge),
};

/**
 * Done: the first and the last line are there, which anyone looks for. True: the lines that are shown, and the number of those that
 * are said to be left out, are all lines.
 * @param {import("../task.mjs").Answer} answer
 */
function judge({ text }) {
  const done = text.includes("step 0 loss 1.0") && text.includes("step 19999 loss 5e-05");
  const shown = new Set(text.match(/\bstep \d+ loss [\d.e-]+(?=\n|$|\\n)/g)).size;
  const leftOut = [...text.matchAll(/([\d,]+) lines/g)].reduce(
    (sum, [, count]) => sum + Number(count?.replaceAll(",", "")),
    0,
  );
  // A server that shows everything may break a few lines where it joins messages; that is no false statement.
  const isTrue = leftOut === 0 ? shown >= 19_990 : shown + leftOut === 20_000;
  return { done, isTrue, ...(!(done && isTrue) && { why: `${shown} lines shown, ${leftOut} said to be left out` }) };
}
