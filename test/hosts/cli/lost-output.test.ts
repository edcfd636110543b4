import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import { commandHere } from "./command-here.ts";
import { baseEnvironment, granaryProcess } from "./granary.ts";

const folder = mkdtempSync(join(tmpdir(), "granary-lost-output-"));
const cell = { cell_type: "code", id: "a", source: "x = 1", metadata: {}, outputs: [], execution_count: null };
writeFileSync(join(folder, "a.ipynb"), JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }));

const diskIsFull = "granary: The output cannot be written: the disk is full.\n";

class FullDisk extends Writable {
  override _write(_chunk: Buffer, _encoding: string, done: (error: Error) => void): void {
    done(Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }));
  }
}

test.each([
  ["--help"],
  ["--version"],
  ["run", "--help"],
  ["run", "-c", "print(1)"],
  ["notebook", "text", "a.ipynb"],
  ["notebook", "export", "a.ipynb", "--to", "html", "-o", "-"],
  ["notebook", "show", "a.ipynb", "--json"],
  ["notebook", "find", "a.ipynb", "x"],
  ["notebook", "run", "a.ipynb", "-o", "-"],
  ["sessions"],
  ["sessions", "--json"],
  ["hub"],
  ["skill"],
  ["completions", "bash"],
  ["doctor"],
  ["artifact", "--list", "--json"],
])("granary %s %s ends with 3 and says why when the disk is full", async (...args: string[]) => {
  const env = { ...baseEnvironment(), GRANARY_HOME: join(folder, "home") };
  const { exitCode, stderr } = await commandHere(args, {
    ...{ cwd: folder, env, stdin: Readable.from([]), stdout: new FullDisk() },
  });
  expect(exitCode).toBe(3);
  expect(stderr).toContain(diskIsFull);
  expect(stderr.split(diskIsFull)).toHaveLength(2);
});

test.runIf(existsSync("/dev/full")).each([[["skill"]], [["run", "-c", "print(1)"]]])(
  "granary %s > /dev/full is a failure",
  async (args) => {
    const command = ["sh", "-c", 'exec "$@" > /dev/full', "sh", process.execPath, inRepository("bin/granary")] as const;
    const { exitCode, stderr } = await granaryProcess(args, { command: [...command], cwd: folder });
    expect([exitCode, stderr]).toEqual([3, diskIsFull]);
  },
);
