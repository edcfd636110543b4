/** One process at one moment between two rounds. */
export interface Sample {
  /** Resident. */
  readonly megabytes: number;
  /** Of the heap and of buffers in use; 0 for a kernel. */
  readonly usedMegabytes: number;
  readonly descriptors: number;
  readonly children: number;
}

export interface Trend {
  /** Medians of the first and of the last third after the warm-up. */
  readonly before: Sample;
  readonly after: Sample;
  /** 0.05 for 5 % more memory. */
  readonly growth: number;
}

export interface TrendOptions {
  /** The share of the samples to leave out. */
  readonly warmUp: number;
  /** Memory that each sample may have more than the one before, in megabytes: a kernel keeps the history of its cells. */
  readonly historyMegabytes?: number | undefined;
}

/** Compares the first third with the last; a single sample says little, as memory is released in its own time. */
export function trendOf(samples: readonly Sample[], { warmUp, historyMegabytes = 0 }: TrendOptions): Trend {
  const steady = samples.slice(Math.floor(samples.length * warmUp));
  const third = Math.max(1, Math.floor(steady.length / 3));
  const before = medianOf(steady.slice(0, third));
  const after = medianOf(steady.slice(-third));
  const history = (steady.length - third) * historyMegabytes;
  return { before, after, growth: (after.megabytes - history) / before.megabytes - 1 };
}

/** A sentence for everything that is not flat. */
export function notFlat(name: string, { before, after, growth }: Trend, most: number): readonly string[] {
  const found: string[] = [];
  if (growth > most) found.push(`${name} grew from ${before.megabytes} to ${after.megabytes} MB`);
  // One more may be a timer or a connection that is just being closed.
  for (const what of ["descriptors", "children"] as const) {
    if (after[what] > Math.max(before[what] * (1 + most), before[what] + 1))
      found.push(`${name} has ${after[what]} ${what}, and had ${before[what]}`);
  }
  return found;
}

function medianOf(samples: readonly Sample[]): Sample {
  const middle = (what: keyof Sample): number =>
    samples.map((sample) => sample[what]).sort((one, other) => one - other)[Math.floor(samples.length / 2)] ?? 0;
  return {
    ...{ megabytes: middle("megabytes"), usedMegabytes: middle("usedMegabytes") },
    ...{ descriptors: middle("descriptors"), children: middle("children") },
  };
}
