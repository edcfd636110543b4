import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { inRepository } from "../../../scripts/repository.mjs";
import type { JsonDocument } from "../../../src/hosts/cli/report/json-document.ts";
import { newestPython } from "../../environment/pythons.ts";
import { until } from "../../kernel/until.ts";
import { commandHere } from "./command-here.ts";

export interface GranaryContext {
  readonly cwd?: string;
  /** In addition to PATH, where the newest Python of this machine comes first. */
  readonly env?: Readonly<Record<string, string>>;
  /** The content of standard input; empty by default. */
  readonly stdin?: string | Uint8Array;
}

export interface ProgramContext extends GranaryContext {
  /** Node with the built program by default. */
  readonly command?: readonly [string, ...string[]];
}

export interface Finished {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

const builtProgram = [process.execPath, inRepository("bin/granary")] as const;

/** A folder for all files that these tests leave, such as pictures. */
export const testFolder = mkdtempSync(join(tmpdir(), "granary-cli-"));
export const granaryHome = join(testFolder, "home");

/** Runs a command in this process, which takes a tenth of the time of a process for each. */
export function granary(
  args: readonly string[],
  { cwd = testFolder, env = {}, stdin = "" }: GranaryContext = {},
): Promise<Finished> {
  const input = Readable.from(stdin.length === 0 ? [] : [Buffer.from(stdin)]);
  return commandHere(args, { cwd, env: { ...baseEnvironment(), ...env }, stdin: input });
}

/** Runs the built program as a shell would: for tests of the process, such as of its standard input. */
export function granaryProcess(args: readonly string[], context: ProgramContext = {}): Promise<Finished> {
  return new RunningGranary(args, context).finished;
}

export async function granaryJson(args: readonly string[], context: GranaryContext = {}) {
  const finished = await granary([...args, "--json"], context);
  return { ...finished, document: JSON.parse(finished.stdout) as JsonDocument };
}

/** The running program, for tests that act on it. */
export class RunningGranary {
  readonly process: ChildProcess;
  readonly finished: Promise<Finished>;
  stdout = "";
  stderr = "";

  constructor(
    args: readonly string[],
    { cwd = testFolder, env = {}, stdin = "", command = builtProgram }: ProgramContext = {},
  ) {
    const [program, ...first] = command;
    const child = spawn(program, [...first, ...args], { cwd, env: { ...baseEnvironment(), ...env } });
    this.process = child;
    child.stdin.on("error", () => {}).end(stdin);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.finished = new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (exitCode) => resolve({ stdout: this.stdout, stderr: this.stderr, exitCode }));
    });
  }

  async untilOutput(text: string): Promise<void> {
    await until(`stdout says ${JSON.stringify(text)}`, () => this.stdout.includes(text));
  }
}

/** Excludes the caller's variables that could choose another Python. */
export function baseEnvironment(): Record<string, string> {
  return {
    PATH: [dirname(newestPython().path), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
    HOME: testFolder,
    LANG: "C.UTF-8",
    GRANARY_HOME: granaryHome,
    GRANARY_HUB: "never",
  };
}
