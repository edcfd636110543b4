const bytes = 16_384;

/** The share of a budget that is for the beginning of an output. */
export const headShare = 0.4;

/** The limits of an output that a model reads, unless settings or a caller change them. */
export const usualBudget = { bytes, headBytes: Math.floor(bytes * headShare), lines: 3000, lineBytes: 4096 };
