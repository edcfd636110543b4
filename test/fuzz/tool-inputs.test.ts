import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { SeededRandom } from "../chaos/random.ts";
import { runtimeIn, temporaryFolder } from "../runtime/runtimes.ts";
import { mutatedValue } from "./mutations.ts";

const { GRANARY_FUZZ_SEED: seed = "21", GRANARY_FUZZ_CASES: cases = "100" } = process.env;

const notebook = {
  ...{ nbformat: 4, nbformat_minor: 5, metadata: {} },
  cells: [{ cell_type: "code", id: "a", metadata: {}, execution_count: null, outputs: [], source: "1" }],
};

/** Calls of tools; those that run code use one session, which stays. */
const calls: readonly (readonly [tool: string, input: object])[] = [
  ["read", { path: "a.txt:1-2" }],
  ["read", { path: "n.ipynb", outputs: 10 }],
  ["write", { path: "b/new.txt", content: "new" }],
  ["edit", { path: "a.txt", edits: [{ old: "one", new: "two", all: true }] }],
  ["notebook", { action: "show", path: "n.ipynb", cell_index: 0 }],
  ["notebook", { action: "insert", path: "n.ipynb", cell_index: 0, content: "1", cell_type: "markdown" }],
  ["notebook", { action: "edit", path: "n.ipynb", cell_id: "a", content: "2" }],
  ["notebook", { action: "delete", path: "n.ipynb", cell_index: 0 }],
  ["notebook", { action: "find", path: "n.ipynb", content: "1" }],
  ["executions", { action: "poll", id: "run-1", since: 0 }],
  ["kernels", { action: "list", session: "main" }],
  ["variables", { session: "main" }],
  ["python", { cells: [{ code: "1", title: "t" }], timeout: 60 }],
  ["bash", { command: "true", timeout: 60 }],
];

test(`tools with damaged arguments, ${cases} calls with the seed ${seed}: never an exception, and a refusal changes no file`, {
  timeout: 3 * 3_600_000,
}, async () => {
  const folder = temporaryFolder();
  const work = join(folder, "work");
  mkdirSync(work);
  const reset = (): void => {
    writeFileSync(join(work, "a.txt"), "one\ntwo\n");
    writeFileSync(join(work, "n.ipynb"), JSON.stringify(notebook));
  };
  reset();
  await using runtime = await runtimeIn(folder, {}, { cwd: work });
  await using toolbox = await createToolbox({ runtime, roots: [work] });
  let refused = 0;
  let changes = 0;
  for (let number = 0; number < Number(cases); number++) {
    const own = Number(seed) * 1_000_003 + number;
    const random = new SeededRandom(own);
    const [name, input] = random.pick(calls);
    const given = mutatedValue(input, random);
    const before = contentOf(work);
    const result = await toolbox.find(name)?.run(given);
    const what = `seed ${own}: ${name} ${JSON.stringify(given)}`;
    expect(result?.content.length, what).toBeGreaterThan(0);
    if (!result?.isError) {
      if (name === "notebook" || name === "edit" || name === "write") changes += 1;
      if (number % 50 === 0) reset();
      continue;
    }
    refused += 1;
    expect(contentOf(work), what).toEqual(before);
  }
  // Both kinds occur, or nothing was tried.
  expect(Math.min(refused, changes)).toBeGreaterThan(Number(cases) / 20);
});

function contentOf(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    statSync(join(folder, file)).isFile(),
  );
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), "latin1")]));
}
