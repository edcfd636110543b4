import type { IOType } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { devNull } from "node:os";
import { isExhaustion } from "./exhaustion.ts";

/** Descriptors that a start needs for a moment, with the most pipes that Granary gives to a child. */
const forOneProgram = 16;

/**
 * Throws when this process cannot open that many files now; opening them is the only way to know. Call it right
 * before `spawn`: a start that fails for lack of descriptors leaks those it had opened.
 */
export function requireDescriptors(count = forOneProgram): void {
  const opened: number[] = [];
  try {
    while (opened.length < count) opened.push(openSync(devNull, "r"));
  } catch (cause) {
    const { code, errno } = cause as NodeJS.ErrnoException;
    throw Object.assign(new Error(`${code}: too many open files`, { cause }), { code, errno });
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

export function hasDescriptors(count?: number): boolean {
  try {
    requireDescriptors(count);
    return true;
  } catch {
    return false;
  }
}

type Stdio = readonly (IOType | number)[];

/** Linux: the flag of a descriptor that programs do not inherit. */
const closesOnExec = 0o2000000;

/**
 * Starts a program without the descriptors that this process was given and does not know, such as `exec 200>lock` of the user's shell.
 * Node closes those below the first gap only; the others would keep a lock held as long as a background process lives, and open a
 * folder to a program in a sandbox. The program gets the null device in their places.
 * @param start spawns the program at once, before it returns
 */
export function withoutForeignDescriptors<Started>(
  stdio: Stdio,
  start: (stdio: (IOType | number)[]) => Started,
): Started {
  const foreign = foreignDescriptors().filter((descriptor) => descriptor >= stdio.length);
  if (foreign.length === 0) return start([...stdio]);
  const most = mostDescriptors();
  const nothing = openSync(devNull, "r+");
  const all: (IOType | number)[] = [...stdio];
  for (const descriptor of foreign) {
    if (descriptor < most) all[descriptor] = nothing;
    // The limit was lowered since, and nothing can be put in its place.
    else closeSync(descriptor);
  }
  // Holes would be pipes.
  const filled = Array.from(all, (entry) => entry ?? "ignore");
  try {
    return start(filled);
  } finally {
    closeSync(nothing);
  }
}

/** Other systems start programs with the named descriptors only. */
function foreignDescriptors(): readonly number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc/self/fd")
    .map(Number)
    .filter((descriptor) => descriptor > 2 && isInherited(descriptor));
}

function isInherited(descriptor: number): boolean {
  try {
    const [, flags = ""] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1")) ?? [];
    return (Number.parseInt(flags, 8) & closesOnExec) === 0;
  } catch (error) {
    if (isExhaustion(error)) throw error;
    return false; // it was that of the list
  }
}

function mostDescriptors(): number {
  const [, most = ""] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? [];
  return most === "" ? Number.POSITIVE_INFINITY : Number(most);
}
