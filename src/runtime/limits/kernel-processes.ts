import { readdirSync } from "node:fs";
import { markOf } from "../../support/process/kernel-mark.ts";
import { procChildren, procFile } from "../../support/process/proc-files.ts";

/**
 * The processes of a kernel on Linux: Python, everything below it, and daemons. The parent of a daemon has ended, so that the daemon is
 * no longer below Python, but its environment has the kernel's mark. A daemon that began with another environment is not found.
 */
export class KernelProcesses {
  readonly #pid: number;
  readonly #mark: string | null;
  /** Whether a process has the mark. Each is asked once: hundreds of files five times a second would cost. */
  #answers: ReadonlyMap<string, boolean> = new Map();

  constructor(pid: number) {
    this.#pid = pid;
    this.#mark = markOf(pid);
  }

  /**
   * Without copies of the kernel, and the kernels made out of them.
   * @param more processes that are known from elsewhere
   */
  list(copies: ReadonlySet<number>, more: readonly number[] = []): ReadonlySet<number> {
    const found = new Set<number>();
    const add = (pid: number): void => {
      if (found.has(pid) || copies.has(pid)) return;
      found.add(pid);
      for (const child of procChildren(pid)) add(child);
    };
    add(this.#pid);
    for (const pid of [...this.#marked(), ...more]) add(pid);
    return found;
  }

  #marked(): readonly number[] {
    const mark = this.#mark;
    if (mark === null) return [];
    const answers = new Map<string, boolean>();
    for (const name of processNames()) {
      const answer = this.#answers.get(name) ?? hasMark(name, mark);
      if (answer !== null) answers.set(name, answer);
    }
    this.#answers = answers;
    return [...answers].flatMap(([name, isMarked]) => (isMarked ? [Number(name)] : []));
  }
}

/** Null where there is no environment: it is another user's, or the process is just becoming another program. */
function hasMark(name: string, mark: string): boolean | null {
  const environment = procFile(`/proc/${name}/environ`);
  return environment === "" ? null : environment.includes(mark);
}

function processNames(): readonly string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d/.test(name));
  } catch {
    return []; // no descriptors are left
  }
}
