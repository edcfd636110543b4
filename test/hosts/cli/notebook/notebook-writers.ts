import { readFileSync, writeFileSync } from "node:fs";
import { granaryProcess } from "../granary.ts";

interface Inserting {
  readonly processes: number;
  /** How often each of them inserts, one command after the other. */
  readonly times: number;
  /** A file to create when the first command is done. */
  readonly whenOneIsDone?: string;
}

/** @returns the cells of all commands that succeeded */
export async function insertTogether(file: string, { processes, times, whenOneIsDone }: Inserting): Promise<string[]> {
  const added: string[] = [];
  const insertAgain = async (process: number) => {
    for (let number = 0; number < times; number++) {
      const content = `w${process} = ${number}`;
      const { exitCode, stderr } = await granaryProcess(["notebook", "insert", file, "--content", content]);
      if (exitCode !== 0) throw new Error(`insert ended with ${exitCode}: ${stderr}`);
      added.push(content);
      if (whenOneIsDone !== undefined) writeFileSync(whenOneIsDone, "");
    }
  };
  await Promise.all(Array.from({ length: processes }, (_, process) => insertAgain(process)));
  return added;
}

export function sourcesIn(file: string): string[] {
  const { cells } = JSON.parse(readFileSync(file, "utf8")) as { cells: { source: string[] }[] };
  return cells.map(({ source }) => source.join(""));
}
