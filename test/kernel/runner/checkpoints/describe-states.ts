import { describe, expect, test } from "vitest";
import { printed, run } from "../../collect.ts";
import { startRunner, temporaryFolder } from "../start-runner.ts";
import type { LibraryState } from "./library-states.ts";
import { takeCheckpoint } from "./start-restored.ts";

/** Each state is used in a kernel made out of a checkpoint, and then in the one that was copied. */
export function describeStates(name: string, python: string, states: Record<string, LibraryState>): void {
  describe(name, () => {
    for (const [library, { make, use, lost = [] }] of Object.entries(states)) {
      test(library, async () => {
        await using kernel = await startRunner(python, { cwd: temporaryFolder() });
        expect((await run(kernel, make)).error?.traceback).toBeUndefined();
        const checkpoint = await takeCheckpoint(kernel);
        await using restored = await checkpoint.restore({ isAlone: false, signal: AbortSignal.timeout(20_000) });
        expect(restored.info.restored?.lost).toEqual(lost);
        expect(await printed(restored, use)).toBe("True\n");
        expect(await printed(kernel, use)).toBe("True\n");
        checkpoint.drop();
      });
    }
  });
}
