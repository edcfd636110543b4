import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Kernel, StartOptions } from "../../src/kernel/kernel.ts";
import { isLong } from "../environment/variants.ts";
import { describeAwait } from "./contract/await.ts";
import { describeChildren } from "./contract/children.ts";
import { describeCompletion } from "./contract/completion.ts";
import { describeDeath } from "./contract/death.ts";
import { describeDisplay } from "./contract/display.ts";
import { describeErrors } from "./contract/errors.ts";
import { describeFiguresAndTables } from "./contract/figures-and-tables.ts";
import { describeForks } from "./contract/forks.ts";
import { describeHostileCells } from "./contract/hostile-cells.ts";
import { describeHostileSources } from "./contract/hostile-sources.ts";
import { describeInput } from "./contract/input.ts";
import { describeInterrupts } from "./contract/interrupts.ts";
import { describeLifeCycle } from "./contract/life-cycle.ts";
import { describeLoopLibraries } from "./contract/loop-libraries.ts";
import { describeMainModule } from "./contract/main-module.ts";
import { describeOutput } from "./contract/output.ts";
import { describeResults } from "./contract/results.ts";
import { describeStubbornCells } from "./contract/stubborn-cells.ts";
import { describeTerms } from "./contract/terms.ts";
import { describeWarnings } from "./contract/warnings.ts";
import { describe, expect, test } from "./harness.ts";

/** The contract by theme, each in its own file. */
const describeParts = {
  "life cycle": describeLifeCycle,
  output: describeOutput,
  results: describeResults,
  errors: describeErrors,
  warnings: describeWarnings,
  await: describeAwait,
  display: describeDisplay,
  "figures and tables": describeFiguresAndTables,
  interrupts: describeInterrupts,
  "stubborn cells": describeStubbornCells,
  "loop libraries": describeLoopLibraries,
  input: describeInput,
  death: describeDeath,
  children: describeChildren,
  forks: describeForks,
  "main module": describeMainModule,
  "hostile cells": describeHostileCells,
  "hostile sources": describeHostileSources,
  completion: describeCompletion,
  terms: describeTerms,
} as const;

export type Part = keyof typeof describeParts;

export const allParts = Object.keys(describeParts) as readonly Part[];

/** A test's options for its kernel. */
export type StartChoices = Partial<Pick<StartOptions, "env" | "interruptGraceMs">> & Pick<StartOptions, "cwd">;

/** The packages of the environment "main" that the contract has tests for. */
export const packagesOfMain = ["matplotlib", "numpy", "pandas", "uvloop", "trio", "gevent", "eventlet"] as const;

type Package = (typeof packagesOfMain)[number];

export interface KernelOptions {
  /** The Python behind the kernels: what it cannot do is skipped by name. */
  readonly python: { readonly version: string; readonly packages: readonly Package[] };
  /** Tests that this backend cannot pass yet, by title, each with the reason. One that passes is a failure. */
  readonly known?: Readonly<Record<string, string>>;
  /** Whether `npm test` may trust that list: a story that fails ends its kernel, and some kernels are slow to start. */
  readonly trustsKnown?: boolean;
  /** Unsteady tests, by title, each with the reason: they are skipped. */
  readonly unsteady?: Readonly<Record<string, string>>;
  /** Tests that cost this backend many seconds, by title, each with the reason: they are for `npm run test:long`. */
  readonly slow?: Readonly<Record<string, string>>;
  /** Parts that another contract shows on a Python of its own: here only what that Python lacks, until `npm run test:long`. */
  readonly shownOn?: Readonly<{ python: KernelOptions["python"]; parts: readonly Part[] }> | undefined;
  /** Parts that make no sense on this backend, each with the reason. */
  readonly without?: Readonly<Partial<Record<Part, string>>>;
  /** All parts of the contract, unless a variant of a backend needs to show less. */
  readonly parts?: readonly Part[] | undefined;
  /** For kernels that are slow to start: the stories of these parts share kernels, one after the other. */
  readonly sharing?: { readonly parts: readonly Part[]; readonly kernels: SharedKernels } | undefined;
}

/** Kernels that several stories use. A story that failed, or ended its kernel, does not give the kernel back. */
export interface SharedKernels {
  take(choices: StartChoices): Promise<Kernel>;
  giveBack(kernel: Kernel): Promise<void>;
}

interface Needs {
  readonly python?: `3.${number}`;
  readonly packages?: readonly Package[];
  readonly interruptGraceMs?: number;
  /** Whether no other story may have used the kernel, also where kernels are shared. */
  readonly fresh?: true;
}

/** The tools of the contract's parts. */
export interface Contract {
  /** A promise to users. Each test gets a kernel in its first state, in a folder of its own. */
  test(title: string, story: (kernel: Kernel, folder: string) => Promise<void>, needs?: Needs): void;
}

const timeoutMs = 40_000;

/** The contract that every backend fulfils. */
export function describeKernel(
  name: string,
  start: (choices: StartChoices) => Promise<Kernel>,
  options: KernelOptions,
): void {
  const { python, known = {}, unsteady = {}, without = {}, parts = allParts } = options;
  const { slow = {}, sharing, shownOn } = options;
  const titles = new Set<string>();

  const contractOf = (part: Part): Contract => ({
    test(title, story, needs = {}) {
      if (titles.has(title)) throw new Error(`Two tests of the contract have the title "${title}".`);
      titles.add(title);
      const missing = whatIsMissing(needs, python);
      if (missing !== undefined) return test.skip(`${title} (needs ${missing})`, () => undefined);
      const chance = unsteady[title];
      if (chance !== undefined) return test.skip(`${title} (not steady: ${chance})`, () => undefined);
      const isShared = sharing?.parts.includes(part) && !needs.fresh && needs.interruptGraceMs === undefined;
      const kernels =
        sharing && isShared ? sharing.kernels : { take: start, giveBack: (kernel: Kernel) => kernel.close() };
      const isShown = shownOn?.parts.includes(part) && whatIsMissing(needs, shownOn.python) === undefined;
      const why = isShown ? `Python ${shownOn?.python.version} shows it` : slow[title];
      const cost = isLong ? undefined : why;
      if (cost !== undefined) return test.skip(`${title} (in npm run test:long: ${cost})`, () => undefined);
      const body = (): Promise<void> => withKernel(kernels, needs, story);
      const gap = known[title];
      if (gap === undefined) return test(title, body);
      if (options.trustsKnown && !isLong) return test.skip(`${title} (known gap: ${gap})`, () => undefined);
      test(`${title} (known gap: ${gap})`, () => mustFail(body));
    },
  });

  describe(name, () => {
    for (const part of parts) {
      const reason = without[part];
      if (reason === undefined) describeParts[part](contractOf(part));
      else test.skip(`${part} (left out: ${reason})`, () => undefined);
    }

    if (options.parts !== undefined) return;
    test("every gap is the title of a test", () => {
      const gaps = Object.keys({ ...known, ...unsteady, ...slow });
      expect(gaps.filter((title) => !titles.has(title))).toEqual([]);
    });
  });
}

async function withKernel(
  kernels: SharedKernels,
  { interruptGraceMs }: Needs,
  story: (kernel: Kernel, folder: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "granary-contract-"));
  const kernel = await kernels.take({ cwd: folder, ...(interruptGraceMs === undefined ? {} : { interruptGraceMs }) });
  // A test that hangs fails with "Python was closed" and leaves nothing running.
  const deadline = setTimeout(() => void kernel.close(), timeoutMs);
  try {
    await story(kernel, folder);
    if (kernel.state === "idle") await kernels.giveBack(kernel);
    else await kernel.close();
  } catch (error) {
    await kernel.close();
    throw error;
  } finally {
    clearTimeout(deadline);
    rmSync(folder, { recursive: true, force: true });
  }
}

function whatIsMissing({ python, packages = [] }: Needs, found: KernelOptions["python"]): string | undefined {
  const minor = (version: string): number => Number(version.split(".")[1]);
  if (python !== undefined && minor(found.version) < minor(python)) return `Python ${python}`;
  return packages.find((name) => !found.packages.includes(name));
}

async function mustFail(body: () => Promise<void>): Promise<void> {
  const failed = await body().then(
    () => false,
    () => true,
  );
  if (!failed) throw new Error("This known gap has closed: take it off the list.");
}
