import { test } from "vitest";
import { stress } from "./stress.ts";

test("200 cells over 4 sessions, while Pythons are killed at random, leave no process and no open file", () =>
  stress(200, { killEvery: 20 }));
