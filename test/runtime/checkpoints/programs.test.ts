import fc from "fast-check";
import { expect, test } from "vitest";
import { isLong } from "../../environment/variants.ts";
import { runtimeIn, temporaryFolder } from "../runtimes.ts";
import { codeOf, model, programs } from "./random-programs.ts";

const folder = temporaryFolder();

test("after crashes and undos, variables are as a model that keeps every state has them", async () => {
  await using granary = await runtimeIn(folder, { checkpoints: "always", checkpointCopies: 20, maxSessions: 2 });
  let count = 0;
  const check = fc.asyncProperty(programs, async (steps) => {
    const session = granary.session(`program-${++count}`);
    await session.run("import os, json; a = [0]; b = [0]; c = [0]").result;
    const start = { a: [0], b: [0], c: [0] };
    const expected = model(steps, start);
    for (const [index, step] of steps.entries()) {
      const hasChanged = expected[index] !== (expected[index - 1] ?? start);
      // The cell that defines the variables stays.
      if (step.kind === "undo") hasChanged && (await session.restore().result);
      else expect((await session.run(codeOf(step)).result).ledger.noCheckpoint).toBeUndefined();
      // A question is no cell of the program, so it must leave no checkpoint behind: it is asked beside the queue.
      const { variables } = await session.variables({ maxVariables: 10, maxValueCharacters: 200 });
      const found = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
      for (const name of ["a", "b", "c"]) expect(JSON.parse(found[name] ?? "null")).toEqual(expected[index]?.[name]);
    }
    await session.leave();
  });
  await fc.assert(check, { numRuns: isLong ? 1000 : 5, endOnFailure: true });
}, 3_600_000);
