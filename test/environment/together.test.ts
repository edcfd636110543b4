import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";

const files = readdirSync(inRepository("test"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ name, text: readFileSync(inRepository(`test/${name}`), "utf8") }));

test("no module beside the tests has a hook at its top: it would run for the first file of a process alone", () => {
  const hook = /^(?:before|after)(?:All|Each)\(/m;
  const beside = files.filter(({ name }) => !name.endsWith(".test.ts"));
  expect(beside.filter(({ text }) => hook.test(text)).map(({ name }) => name)).toEqual([]);
});

test("a file that changes the clock or the variables of its process puts them back", () => {
  const changes = {
    "useFakeTimers(": "useRealTimers(",
    "stubEnv(": "unstubAllEnvs(",
    "stubGlobal(": "unstubAllGlobals(",
  };
  const alone = ["examples.test.ts"]; // in a process of its own
  for (const [change, back] of Object.entries(changes)) {
    const changing = files.filter(({ name, text }) => text.includes(`vi.${change}`) && !alone.includes(name));
    expect(changing.filter(({ text }) => !text.includes(`vi.${back}`)).map(({ name }) => name)).toEqual([]);
  }
});
