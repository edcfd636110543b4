import { median, p95 } from "./measure.mjs";

/**
 * One line of the table.
 * @typedef {object} Row
 * @property {string} what
 * @property {string} floor the best possible on this machine
 * @property {string} ours
 * @property {string} measured the value to compare with the target, usually ours ÷ floor
 * @property {string} target empty if there is none
 * @property {boolean} met
 * @property {string} peer the same for jupyter_client with ipykernel
 */

/**
 * A row about time, as a multiple of the floor's time.
 * @param {object} row
 * @param {string} row.what
 * @param {readonly number[]} row.floor milliseconds
 * @param {readonly number[]} row.ours
 * @param {readonly number[] | undefined} [row.peer]
 * @param {number | undefined} [row.atMost] times the floor
 * @returns {Row}
 */
export function timesTheFloor({ what, floor, ours, peer, atMost }) {
  const ratio = median(ours) / median(floor);
  return {
    what,
    floor: showTimes(floor),
    ours: showTimes(ours),
    measured: `${ratio.toFixed(2)} ×`,
    target: atMost === undefined ? "" : `≤ ${atMost} ×`,
    met: atMost === undefined || ratio <= atMost,
    peer: peer === undefined ? "" : `${showTimes(peer)} (${(median(peer) / median(floor)).toFixed(1)} ×)`,
  };
}

/** @param {readonly number[]} samples milliseconds */
export function showTimes(samples) {
  return samples.length < 10
    ? showTime(median(samples))
    : `${showTime(median(samples))}, p95 ${showTime(p95(samples))}`;
}

/** @param {number} milliseconds */
function showTime(milliseconds) {
  if (milliseconds < 1) return `${(milliseconds * 1000).toFixed(0)} µs`;
  if (milliseconds < 1000) return `${milliseconds.toFixed(milliseconds < 10 ? 2 : 1)} ms`;
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

/**
 * Markdown, to paste into docs/benchmarks.md.
 * @param {readonly Row[]} rows
 */
export function table(rows) {
  const header = ["", "floor", "Granary", "measured", "target", "met", "jupyter_client + ipykernel"];
  const lines = rows.map((row) => {
    const verdict = row.target === "" ? "" : row.met ? "yes" : "**no**";
    return [row.what, row.floor, row.ours, row.measured, row.target, verdict, row.peer];
  });
  const widths = header.map((_, column) => Math.max(3, ...[header, ...lines].map((line) => length(line[column]))));
  const show = (/** @type {readonly string[]} */ line) =>
    `| ${line.map((text, column) => text + " ".repeat(/** @type {number} */ (widths[column]) - length(text))).join(" | ")} |`;
  return [show(header), `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...lines.map(show)].join("\n");
}

/** @param {string | undefined} text */
const length = (text = "") => [...text].length;
