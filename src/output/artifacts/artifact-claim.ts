import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, resolve } from "node:path";
import { makeFolderSync } from "../../support/files/make-folder.ts";
import { artifactId } from "./artifact-id.ts";
import { highestNumber, markFileName } from "./artifact-names.ts";

/** A number within a session that no other caller gets, in this process or another. */
export interface Claim {
  readonly folder: string;
  readonly id: string;
  readonly number: number;
  /** Call this when the artifact is complete, or has been removed. */
  release(): Promise<void>;
}

/**
 * Claims the next free number, from `atLeast` on. Synchronous, because callers that open an artifact need its id at once;
 * it costs a few system calls.
 */
export function claimNumber(folder: string, label: string, atLeast: number): Claim {
  for (let number = Math.max(atLeast, highestNumber(namesIn(folder), label) + 1); ; number++) {
    const id = artifactId(label, number);
    const mark = resolve(folder, markFileName(id, "writing"));
    if (!createMark(mark)) continue;
    // Another process may have finished an artifact with this number before we created our mark.
    const isFree = highestNumber(namesIn(folder), label) < number;
    if (isFree) return { folder, id, number, release: () => removeMark(mark) };
    ownMarks.delete(mark);
    rmSync(mark, { force: true });
  }
}

/**
 * The state of the process that marked an artifact as being written; `none` if there is no such mark.
 * @param writtenAt when the artifact was last written to, in milliseconds since 1970
 */
export async function writerOf(folder: string, id: string, writtenAt: number): Promise<"none" | "alive" | "dead"> {
  const mark = resolve(folder, markFileName(id, "writing"));
  const writer = await readFile(mark, "utf8").catch(() => null);
  if (writer === null) return "none";
  const [pid, host] = writer.split(" ");
  // Processes of another machine or container that shares this folder are not visible here.
  if (host !== hostname()) return Date.now() - writtenAt < foreignTimeoutMs ? "alive" : "dead";
  // In containers, a new process often has the number of an earlier one.
  if (Number(pid) === process.pid) return ownMarks.has(mark) ? "alive" : "dead";
  return isProcess(Number(pid)) ? "alive" : "dead";
}

const foreignTimeoutMs = 24 * 60 * 60 * 1000;
const ownMarks = new Set<string>();

function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function removeMark(mark: string): Promise<void> {
  await rm(mark, { force: true }).catch(() => undefined);
  ownMarks.delete(mark);
}

/** False if another process has it. */
function createMark(mark: string): boolean {
  for (let attempt = 1; ; attempt++) {
    makeFolderSync(dirname(mark), 0o700);
    try {
      writeFileSync(mark, `${process.pid} ${hostname()}`, { flag: "wx", mode: 0o600 });
      ownMarks.add(mark);
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") return false;
      // A full disk has space for a file's name, but not for its content.
      if (code === "ENOSPC" || code === "EDQUOT") rmSync(mark, { force: true });
      // A clean-up may remove the empty folder between the two calls.
      if (code !== "ENOENT" || attempt === 3) throw error;
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // If this is more than a missing folder, creating the mark reports it.
    return [];
  }
}
