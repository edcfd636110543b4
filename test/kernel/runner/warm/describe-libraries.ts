import { describe, expect, test } from "vitest";
import { printed } from "../../collect.ts";
import { temporaryFolder } from "../start-runner.ts";
import type { LibraryCell } from "./library-cells.ts";
import { preloading, WarmStarter } from "./start-warm.ts";

/** For a busy machine. */
const limits = { seconds: 60, megabytes: 2000, atMostSeconds: 120 };

/** Each cell runs twice in forked kernels: with its modules imported ahead, and imported by itself. */
export function describeLibraries(
  name: string,
  python: string,
  cells: Record<string, LibraryCell>,
  refused: readonly string[] = [],
) {
  describe(name, () => {
    for (const [library, { modules, code }] of Object.entries(cells)) {
      test(library, async () => {
        const ahead = preloading(...modules);
        await using warm = new WarmStarter(python, { preloading: ahead, limits });
        await using bare = new WarmStarter(python);
        // Twice from the one that has imported something: the first kernel must not have changed what the second gets.
        for (const starter of [warm, warm, bare]) {
          await using kernel = await starter.start({ cwd: temporaryFolder() });
          expect(await printed(kernel, code)).toBe("True\n");
          expect(await printed(kernel, `import os\n${code.replaceAll("file.db", "other.db")}`)).toBe("True\n");
        }
        expect([...ahead.refusals.keys()]).toEqual(modules.filter((module) => refused.includes(module)));
      });
    }
  });
}
