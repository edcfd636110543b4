import { describe, expect, test } from "vitest";
import { createRunnerBackend } from "../../../../src/kernel/runner/runner-backend.ts";
import { testedPythons } from "../../../environment/variants.ts";
import { stress } from "./interrupt-stress.ts";

// A short run with a fixed seed; interrupt-stress.long.test.ts has the long ones.
describe.each(testedPythons())("interrupts at random moments, Python $version", ({ path }) => {
  test("end the cell and nothing else: no kernel lost, no interrupt in the next cell, no frame damaged", async () => {
    const options = { interpreter: path, cwd: process.cwd(), env: process.env as Record<string, string> };
    expect(await stress(() => createRunnerBackend().start(options), { rounds: 120, seed: 7919 })).toEqual([]);
  });
});
