import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { isLong } from "../environment/variants.ts";
import { py } from "../kernel/py.ts";
import { environmentIn, temporaryFolder } from "../runtime/runtimes.ts";

const folder = temporaryFolder();

/** The heap of the host, and all of its memory: Node itself takes 50 MB, and buffers outside of the heap the rest. */
const heapMb = 64;
const mostMb = 256;

interface Outcome {
  readonly status: string;
  readonly totalBytes: number;
  readonly totalLines: number;
  readonly shown: number;
  readonly end: string;
  readonly next: string;
  readonly megabytes: number;
  /** How often the event loop was blocked for more than 100 ms of processor time. */
  readonly blocks: number;
  readonly ticks: number;
}

async function flood(code: string, interruptAfter = "never", question = "none"): Promise<Outcome> {
  const script = inRepository("test/floods/flood-host.mjs");
  const args = [`--max-old-space-size=${heapMb}`, script, folder, code, interruptAfter, question];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: environmentIn(folder) });
  return JSON.parse(stdout) as Outcome;
}

const display = "from IPython.display import display\n";
const status = `display({"application/x-granary-status": {"op": "step", "n": n}, "text/plain": ""}, raw=True)`;
const chain = py`
  def fail(depth):
      try:
          if depth == 0: raise ValueError(0)
          fail(depth - 1)
      except ValueError as error:
          raise ValueError(depth) from error
  import sys
  sys.setrecursionlimit(5000)
  fail(500)
`;

/** A name, the code, the end, how it ends, and lines or bytes at least. */
const floods: readonly (readonly [string, string, string, string, number])[] = [
  [
    isLong ? "endless output for a minute" : "endless output, 20 MB",
    `while True: print("x" * 200)`,
    isLong ? "seconds 60" : "bytes 20000000",
    "cancelled",
    20_000_000,
  ],
  [
    `${isLong ? "a million" : "5,000"} displays`,
    `${display}for n in range(${isLong ? 1_000_000 : 5_000}): display(n)`,
    "never",
    "ok",
    isLong ? 6_888_890 : 23_890,
  ],
  [
    "status events as fast as Python sends them",
    `${display}for n in range(${isLong ? 600_000 : 5_000}): ${status}`,
    "never",
    "ok",
    0,
  ],
  [
    `a text of ${isLong ? "1 GB" : "50 MB"}, printed and as a result`,
    `x = "a" * ${isLong ? 1_000_000_000 : 50_000_000}; print(x); x`,
    "never",
    "ok",
    isLong ? 1_000_000_000 : 50_000_000,
  ],
  ["a chain of 500 exceptions", chain, "never", "error", 50_000],
];

describe(`a flood: the host stays below ${mostMb} MB with a heap of ${heapMb} MB, is never blocked, and works afterwards`, () => {
  test.each(floods)("%s", async (_, code, interruptAfter, how, least) => {
    const { status, totalBytes, next, megabytes, blocks, shown } = await flood(code, interruptAfter);
    expect({ status, next, blocks }).toEqual({ status: how, next: "42\n", blocks: 0 });
    expect(totalBytes).toBeGreaterThanOrEqual(least);
    expect(megabytes).toBeLessThan(mostMb);
    expect(shown).toBeLessThan(60_000);
  });

  test("100,000 variables, and a list of them", async () => {
    const code = "for n in range(100_000): globals()[f'v{n}'] = [n]";
    const { status, next, megabytes, blocks } = await flood(code, "never", "variables");
    expect({ status, next, blocks }).toEqual({ status: "ok", next: "42\n", blocks: 0 });
    expect(megabytes).toBeLessThan(mostMb);
  });
});
