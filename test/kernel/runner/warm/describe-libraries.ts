import { afterAll, describe, expect, test } from "vitest";
import { isLong } from "../../../environment/variants.ts";
import { printed } from "../../collect.ts";
import { temporaryFolder } from "../start-runner.ts";
import type { LibraryCell } from "./library-cells.ts";
import { preloading, WarmStarter } from "./start-warm.ts";

/** For a busy machine. */
const limits = { seconds: 60, megabytes: 2000, atMostSeconds: 120 };

/** Each cell runs twice in forked kernels: with its modules imported ahead, and, where that is cheap, imported by itself. */
export function describeLibraries(
  name: string,
  python: string,
  cells: Record<string, LibraryCell>,
  { refused = [], areCheap = isLong }: { readonly refused?: readonly string[]; readonly areCheap?: boolean } = {},
) {
  describe(name, () => {
    const bare = areCheap ? [new WarmStarter(python)] : [];
    afterAll(() => Promise.all(bare.map((starter) => starter[Symbol.asyncDispose]())));

    for (const [library, { modules, code }] of Object.entries(cells)) {
      test(library, async () => {
        const ahead = preloading(...modules);
        await using warm = new WarmStarter(python, { preloading: ahead, limits });
        // Twice from the one that has imported something: the first kernel must not have changed what the second gets.
        for (const starter of [warm, warm, ...bare]) {
          await using kernel = await starter.start({ cwd: temporaryFolder() });
          expect(await printed(kernel, code)).toBe("True\n");
          expect(await printed(kernel, `import os\n${code.replaceAll("file.db", "other.db")}`)).toBe("True\n");
        }
        expect([...ahead.refusals.keys()]).toEqual(modules.filter((module) => refused.includes(module)));
      });
    }
  });
}
