/**
 * The measured work. Returns its own milliseconds if only a part of the work counts.
 * @typedef {() => Promise<number | void>} Subject
 */

/**
 * Runs the subjects in turn, A B C A B C …, so that other load on the machine affects all of them alike.
 * @template {string} Name
 * @param {Record<Name, Subject>} subjects
 * @param {{ rounds: number, warmUp?: number }} options
 * @returns {Promise<Record<Name, number[]>>} milliseconds of each round
 */
export async function interleave(subjects, { rounds, warmUp = 1 }) {
  const entries = /** @type {[Name, Subject][]} */ (Object.entries(subjects));
  const samples = /** @type {Record<Name, number[]>} */ ({});
  for (const [name] of entries) samples[name] = [];
  for (let round = -warmUp; round < rounds; round++) {
    for (const [name, subject] of entries) {
      const begun = performance.now();
      const counted = await subject();
      const milliseconds = counted ?? performance.now() - begun;
      if (round >= 0) samples[name].push(milliseconds);
    }
  }
  return samples;
}

/** @param {readonly number[]} samples */
export const median = (samples) => quantile(samples, 0.5);

/** @param {readonly number[]} samples */
export const p95 = (samples) => quantile(samples, 0.95);

/**
 * @param {readonly number[]} samples
 * @param {number} share
 */
function quantile(samples, share) {
  if (samples.length === 0) throw new Error("nothing was measured");
  const sorted = [...samples].sort((a, b) => a - b);
  return /** @type {number} */ (sorted[Math.ceil(share * sorted.length) - 1]);
}
