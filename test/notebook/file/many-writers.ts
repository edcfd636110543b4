import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { inRepository } from "../../../scripts/repository.mjs";
import { whileLocked } from "../../../src/support/files/locked-file.ts";

export interface Writing {
  readonly kind: "notebook" | "text";
  readonly file: string;
  readonly writers: number;
  readonly times: number;
  /** This many more writers start, and are killed with SIGKILL during their work. */
  readonly killed?: number;
}

export interface Written {
  /** The reported additions of all processes, each once. */
  readonly acknowledged: readonly string[];
  /** The file's entries, in order. */
  readonly found: readonly string[];
  /** Incomplete contents that a reader saw. */
  readonly torn: readonly string[];
  /** Other files in the folder. */
  readonly leftovers: readonly string[];
}

/** Runs many processes that add to one file at once, while a reader polls the file. */
export async function writeTogether({ kind, file, writers, times, killed = 0 }: Writing): Promise<Written> {
  const torn: string[] = [];
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      if (existsSync(file)) look(kind, readFileSync(file, "utf8"), torn);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  const start = (name: string, killAfter: number | null) => writer({ kind, file, name, times, killAfter });
  const lasting = Array.from({ length: writers }, (_, index) => start(`w${index}`, null));
  // Each of them is killed at a random moment of a write.
  const mortal = Array.from({ length: killed }, (_, index) => start(`k${index}`, index % times));
  const acknowledged = (await Promise.all([...lasting, ...mortal])).flat();
  isOver = true;
  await reading;
  // The last killed process has left its lock for the next writer.
  await whileLocked(file, {}, async () => undefined);
  const found = additionsIn(kind, readFileSync(file, "utf8"));
  const leftovers = readdirSync(dirname(file)).filter((name) => !file.endsWith(name));
  return { acknowledged, found, torn, leftovers };
}

function writer(options: {
  readonly kind: string;
  readonly file: string;
  readonly name: string;
  readonly times: number;
  readonly killAfter: number | null;
}): Promise<string[]> {
  const { kind, file, name, times, killAfter } = options;
  const script = inRepository("test/notebook/file/file-writer.mjs");
  const child: ChildProcess = spawn(process.execPath, [script, inRepository("dist"), kind, file, name, String(times)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    if (killAfter !== null && linesOf(said).length > killAfter) child.kill("SIGKILL");
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0 || signal === "SIGKILL") resolve(linesOf(said));
      else reject(new Error(`${name} ended with ${code}.`));
    });
  });
}

function look(kind: Writing["kind"], content: string, torn: string[]): void {
  try {
    const additions = additionsIn(kind, content);
    if (kind === "text" && content !== "" && !content.endsWith("\n")) torn.push(content);
    if (additions.some((addition) => !/^\w+-\d+$/.test(addition))) torn.push(content);
  } catch {
    torn.push(content);
  }
}

function additionsIn(kind: Writing["kind"], content: string): string[] {
  if (kind === "text") return linesOf(content);
  const { cells } = JSON.parse(content) as { cells: { source: string | string[] }[] };
  return cells.map(({ source }) => (typeof source === "string" ? source : source.join("")));
}

function linesOf(text: string): string[] {
  return text.split("\n").slice(0, -1);
}
