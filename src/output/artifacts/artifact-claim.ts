import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, resolve } from "node:path";
import { makeFolderSync } from "../../support/files/make-folder.ts";
import { artifactId } from "./artifact-id.ts";
import { highestNumber, markFileName } from "./artifact-names.ts";

/** A number of a session that nobody else gets, neither in this process nor in another. */
export interface Claim {
  readonly folder: string;
  readonly id: string;
  readonly number: number;
  /** To be called when the artifact is complete, or has been removed. */
  release(): Promise<void>;
}

/**
 * Claims the next free number, from `atLeast` on. Synchronous, because whoever opens an artifact wants its id at once;
 * it costs a few system calls.
 */
export function claimNumber(folder: string, label: string, atLeast: number): Claim {
  for (let number = Math.max(atLeast, highestNumber(namesIn(folder), label) + 1); ; number++) {
    const id = artifactId(label, number);
    const mark = resolve(folder, markFileName(id, "writing"));
    if (!createMark(mark)) continue;
    // Between our look into the folder and our mark, somebody may have finished an artifact with this number.
    const isFree = highestNumber(namesIn(folder), label) < number;
    if (isFree) return { folder, id, number, release: () => removeMark(mark) };
    ownMarks.delete(mark);
    rmSync(mark, { force: true });
  }
}

/**
 * What became of whoever has marked an artifact as being written; `none` when it bears no such mark (any more).
 * @param writtenAt when the artifact was last written to, in milliseconds since 1970
 */
export async function writerOf(folder: string, id: string, writtenAt: number): Promise<"none" | "alive" | "dead"> {
  const mark = resolve(folder, markFileName(id, "writing"));
  const writer = await readFile(mark, "utf8").catch(() => null);
  if (writer === null) return "none";
  const [pid, host] = writer.split(" ");
  // The processes of another machine, or container, that shares this folder cannot be seen from here.
  if (host !== hostname()) return Date.now() - writtenAt < foreignPatienceMs ? "alive" : "dead";
  // In containers, the process of today often has the number of the one of yesterday.
  if (Number(pid) === process.pid) return ownMarks.has(mark) ? "alive" : "dead";
  return isProcess(Number(pid)) ? "alive" : "dead";
}

const foreignPatienceMs = 24 * 60 * 60 * 1000;
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

/** False when it is somebody else's already. */
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
      // On a full disk there is space for the name of a file, but for nothing in it.
      if (code === "ENOSPC" || code === "EDQUOT") rmSync(mark, { force: true });
      // A clean-up may take away the folder, empty as it still is, between the two calls.
      if (code !== "ENOENT" || attempt === 3) throw error;
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Creating the mark will tell what is wrong, if it is more than that nobody has written here yet.
    return [];
  }
}
