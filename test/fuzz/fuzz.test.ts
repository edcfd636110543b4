import { describe, expect, test } from "vitest";
import { SeededRandom } from "../chaos/random.ts";
import { targets } from "./targets.ts";

/** `npm run fuzz` tries 100,000, with another seed each time. */
const { GRANARY_FUZZ_SEED: seed = "21", GRANARY_FUZZ_CASES: cases = "100" } = process.env;
/** In processor time: on a busy machine, time itself says nothing. */
const hangsAfterMs = 2000;
const mostGrowthMb = 300;
const hours = { timeout: 6 * 3_600_000 };

describe(`damaged input, ${cases} cases with the seed ${seed}: no crash, no hang, no growth`, () => {
  for (const [name, target] of Object.entries(targets)) {
    test(name, hours, async () => {
      const before = process.memoryUsage().rss;
      for (let number = 0; number < Number(cases); number++) {
        // Each case has a seed of its own, so that it can be repeated alone.
        const own = Number(seed) * 1_000_003 + number;
        const began = process.cpuUsage();
        try {
          await target(new SeededRandom(own));
        } catch (error) {
          throw new Error(`${name}, seed ${own}: ${(error as Error).stack}`, { cause: error });
        }
        const { user, system } = process.cpuUsage(began);
        expect((user + system) / 1000, `the processor time of ${name}, seed ${own}`).toBeLessThan(hangsAfterMs);
        // Work that others do in turns.
        if (number % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(mostGrowthMb);
    });
  }
});
