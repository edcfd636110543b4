/** A session that never had a kernel, for results of cells that did not run. */
export const noKernels = {
  isAlive: false,
  generation: 0,
  whyGone: null,
  whyReplaced: null,
  whyReplacedSince: () => [],
  restored: null,
  whyNoCheckpoint: null,
};
