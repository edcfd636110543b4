import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import type { Kernel } from "../../src/kernel/kernel.ts";
import type { EngineName } from "../../src/sandbox/engine.ts";
import { openSandbox } from "../../src/sandbox/sandbox.ts";
import { environment, newestPython } from "../environment/pythons.ts";
import { firstFew, isLong } from "../environment/variants.ts";
import { describeKernel, type Part, packagesOfMain, type StartChoices } from "../kernel/kernel-contract.ts";
import { plainEnvironment, startRunner } from "../kernel/runner/start-runner.ts";
import { engineFor, systemPython, whyNotTested } from "./world.ts";

const withPackages = environment("main");
const [python, packages] =
  "python" in withPackages ? ([withPackages.python, packagesOfMain] as const) : ([newestPython().path, []] as const);

/** In `npm test` the parts that depend on processes around Python; the code of cells is the same as without a sandbox. */
const parts: readonly Part[] | undefined = isLong ? undefined : ["death"];

/** By title, each with the reason. */
const known: Partial<Record<EngineName, Record<string, string>>> = {
  bwrap: { "it says which Python it is": "processes in the sandbox have other numbers" },
};

const home = mkdtempSync(join(tmpdir(), "granary-sandbox-contract-"));
// The folders of hundreds of sandboxes.
afterAll(() => rmSync(home, { recursive: true, force: true }), 300_000);

async function startIn(engine: EngineName, choices: StartChoices): Promise<Kernel> {
  const cwd = choices.cwd ?? home;
  const wish = {
    mode: "workspace",
    network: "off",
    cwd,
    write: [],
    show: [inRepository("python"), dirname(dirname(python)), dirname(dirname(realpathSync(python)))],
    userHome: join(home, "user"),
    granaryHome: join(home, "granary"),
    sockets: [],
  } as const;
  const sandbox = openSandbox(wish, engineFor(engine, systemPython));
  const env = { ...plainEnvironment, ...choices.env, ...sandbox.env };
  const kernel = await startRunner(python, { ...choices, cwd, env, launcher: sandbox.launcher });
  void kernel.exited.then(() => sandbox.close());
  return kernel;
}

const engines = (["bwrap", "landlock", "sandbox-exec"] as const).filter((engine) => whyNotTested(engine) === null);

// Both start the same runner; `escapes.test.ts` and the sessions' tests have both in `npm test`.
for (const engine of firstFew(engines, 1)) {
  describeKernel(`the runner in ${engine}`, (choices) => startIn(engine, choices), {
    python: { version: newestPython().version, packages },
    parts,
    known: known[engine] ?? {},
  });
}
