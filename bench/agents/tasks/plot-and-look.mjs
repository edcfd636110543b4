import { oneCell } from "./one-cell.mjs";

const code = `import matplotlib.pyplot as plt
plt.plot([1, 4, 9, 16])
plt.title("squares")`;

/** @type {import("../task.mjs").Task} */
export const plotAndLook = {
  title: "Plot and look",
  scripts: oneCell(code, judge),
};

/** @param {import("../task.mjs").Answer} answer */
function judge({ pictures }) {
  const done = pictures.length === 1 && pictures[0]?.subarray(1, 4).toString() === "PNG";
  return { done, isTrue: done, ...(!done && { why: `${pictures.length} pictures` }) };
}
