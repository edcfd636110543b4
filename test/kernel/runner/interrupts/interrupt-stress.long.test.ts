import { describe, expect, test } from "vitest";
import { createRunnerBackend } from "../../../../src/kernel/runner/runner-backend.ts";
import { pythons } from "../../../environment/pythons.ts";
import { stress } from "./interrupt-stress.ts";

describe.each(pythons())("thousands of interrupts at random moments, Python $version", ({ path }) => {
  test.each([1, 2, 3])("with seed %i: no kernel lost, none leaked, no frame damaged", async (seed) => {
    const options = { interpreter: path, cwd: process.cwd(), env: process.env as Record<string, string> };
    expect(await stress(() => createRunnerBackend().start(options), { rounds: 1000, seed })).toEqual([]);
  });
});
