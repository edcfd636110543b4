import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { procChildren, procFile } from "../../support/process/proc-files.ts";
import { delegatedFolder } from "./delegated-folder.ts";

/** The limits of a group; 0 for none. */
export interface Walls {
  readonly memoryMb: number;
  /** Threads count as processes. */
  readonly tasks: number;
}

/**
 * A control group (cgroup v2) around a kernel, where the system delegates them: a wall behind the limits that Granary watches. What a
 * member starts is in the group as well, and the system itself counts and refuses. Copies for checkpoints are in a group beside it, which has no limits.
 */
export class ControlGroup {
  readonly #folder: string;
  readonly #copies: string;

  private constructor(host: string) {
    this.#folder = join(host, `kernel-${++made}`);
    this.#copies = join(host, "copies");
  }

  /**
   * Null where there are none.
   * @param others processes that Python has started
   */
  static around(python: number, others: Iterable<number>, walls: Walls): ControlGroup | null {
    const host = hostFolder();
    if (host === null) return null;
    const group = new ControlGroup(host);
    try {
      mkdirSync(group.#folder);
      group.#limit(walls);
      move(python, group.#folder);
      for (const pid of others) attempt(() => move(pid, group.#folder));
      return group;
    } catch {
      isRemoved(group.#folder);
      return null;
    }
  }

  #limit({ memoryMb, tasks }: Walls): void {
    const set = (name: string, value: string | number) => writeFileSync(join(this.#folder, name), String(value));
    if (tasks > 0) set("pids.max", tasks);
    if (memoryMb === 0) return;
    // All of it ends: half a program that waits for the other half would be worse.
    set("memory.oom.group", 1);
    set("memory.max", Math.ceil(memoryMb * 2 ** 20));
    attempt(() => set("memory.swap.max", 0)); // missing where the system has no swap
  }

  pids(): readonly number[] {
    return procFile(join(this.#folder, "cgroup.procs")).split("\n").filter(Boolean).map(Number);
  }

  /** Memory of the programs, also what they share or have in `/dev/shm`; without files that the system keeps in memory. */
  get memoryMb(): number {
    const stat = procFile(join(this.#folder, "memory.stat"));
    const bytes = ["anon", "shmem"].map((name) => Number(new RegExp(`^${name} (\\d+)$`, "m").exec(stat)?.[1] ?? 0));
    return bytes.reduce((sum, each) => sum + each, 0) / 2 ** 20;
  }

  /** Whether the system ended processes of the group, because it had reached its memory. */
  get wasEnded(): boolean {
    return /^oom_kill [1-9]/m.test(procFile(join(this.#folder, "memory.events")));
  }

  /** Copies outlive the kernel, and so do kernels that were just made out of them. */
  letGo(copies: ReadonlySet<number>): void {
    if (copies.size === 0) return;
    const spared = new Set([...copies].flatMap(withAllBelow));
    const here = this.pids().filter((pid) => spared.has(pid));
    if (here.length > 0) attempt(() => mkdirSync(this.#copies));
    for (const pid of here) attempt(() => move(pid, this.#copies));
  }

  /**
   * After the kernel's end: ends the processes that it has left, and removes the group.
   * @param copies null while one may be there that is not known yet
   */
  end(copies: () => ReadonlySet<number> | null, tries = 60): void {
    const known = copies();
    if (known !== null) {
      this.letGo(known);
      for (const pid of this.pids()) attempt(() => process.kill(pid, "SIGKILL"));
    }
    if (isRemoved(this.#folder) || tries === 0) return;
    setTimeout(() => this.end(copies, tries - 1), 50).unref();
  }
}

function withAllBelow(pid: number): readonly number[] {
  return [pid, ...procChildren(pid).flatMap(withAllBelow)];
}

let made = 0;
let host: { readonly folder: string | null } | undefined;

function hostFolder(): string | null {
  host ??= { folder: makeHostFolder() };
  return host.folder;
}

/** A folder for the groups of this process, which removes it at its end. */
function makeHostFolder(): string | null {
  const place = delegatedFolder();
  if (place === null) return null;
  removeForgotten(place);
  const own = join(place, `granary-${process.pid}`);
  try {
    mkdirSync(own);
    writeFileSync(join(own, "cgroup.subtree_control"), "+memory +pids");
    process.once("exit", () => removeSoon(own));
    return own;
  } catch {
    isRemoved(own);
    return null;
  }
}

/** Processes that were just killed need a moment. The next host removes what is left. */
function removeSoon(folder: string): void {
  for (let tries = 0; tries < 10; tries++) {
    if (removeAll(folder)) return;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }
}

/** Of hosts that were killed. */
function removeForgotten(place: string): void {
  for (const name of foldersIn(place)) {
    const pid = Number(/^granary-(\d+)$/.exec(name)?.[1] ?? process.pid);
    if (pid !== process.pid && procFile(`/proc/${pid}/stat`) === "") removeAll(join(place, name));
  }
}

function removeAll(folder: string): boolean {
  for (const name of foldersIn(folder)) isRemoved(join(folder, name));
  return isRemoved(folder);
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
}

function move(pid: number, folder: string): void {
  writeFileSync(join(folder, "cgroup.procs"), String(pid));
}

/** False while it has processes. */
function isRemoved(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // The watcher of the limits still sees what the group does not.
  }
}
