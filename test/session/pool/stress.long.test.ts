import { test } from "vitest";
import { stress } from "./stress.ts";

test("2,000 cells over 4 sessions, while Pythons are killed at random, leave no process and no open file", () =>
  stress(2000, { killEvery: 10 }));
