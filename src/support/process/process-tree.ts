import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { procFile } from "./proc-files.ts";
import { systemEnvironment, systemProgram } from "./system-program.ts";

/** A process as the system describes it. */
export interface TreeProcess {
  readonly pid: number;
  /** The command line; the name of the program if it is unknown. */
  readonly command: readonly string[];
  readonly memoryBytes: number;
  /** Recent CPU use: 100 is one processor. */
  readonly cpuPercent: number;
  /** Stopped by a signal, such as a background program that reads from the terminal. */
  readonly isStopped: boolean;
}

/** CPU time is the difference between two looks. */
const betweenLooksMs = 200;

/** A process, its descendants and the rest of its session; itself first. Empty when it has ended. */
export async function processTree(root: number): Promise<readonly TreeProcess[]> {
  const before = new Map((await allProcesses()).map((each) => [each.pid, each]));
  const began = performance.now();
  await sleep(betweenLooksMs);
  const now = await allProcesses();
  const seconds = (performance.now() - began) / 1000;
  const members = membersOf(root, now);
  return Promise.all(
    members.map(async (each): Promise<TreeProcess> => {
      const used = each.cpuSeconds - (before.get(each.pid)?.cpuSeconds ?? each.cpuSeconds);
      return {
        pid: each.pid,
        command: await each.command(),
        memoryBytes: each.memoryBytes ?? (await memoryOf(each.pid)),
        cpuPercent: Math.max(0, Math.round((used / seconds) * 100)),
        isStopped: each.state.startsWith("T"),
      };
    }),
  );
}

interface Found {
  readonly pid: number;
  readonly parent: number;
  /** The leader of its session; null if unknown. */
  readonly session: number | null;
  readonly state: string;
  readonly cpuSeconds: number;
  readonly memoryBytes: number | null;
  command(): Promise<readonly string[]>;
}

function membersOf(root: number, all: readonly Found[]): readonly Found[] {
  const members = new Map<number, Found>();
  const take = (found: Found): void => {
    if (members.has(found.pid) || /^[ZX]/.test(found.state)) return;
    members.set(found.pid, found);
    for (const child of all) if (child.parent === found.pid) take(child);
  };
  for (const each of all) if (each.pid === root) take(each);
  if (members.size > 0) for (const each of all) if (each.session === root) take(each);
  return [...members.values()];
}

function allProcesses(): Promise<readonly Found[]> {
  return process.platform === "linux" ? fromProc() : fromPs();
}

async function fromProc(): Promise<readonly Found[]> {
  const names = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(names.map((name) => oneFromProc(Number(name))));
  return found.filter((each) => each !== null);
}

/** Linux counts CPU time in hundredths of a second on every system. */
const ticksPerSecond = 100;

async function oneFromProc(pid: number): Promise<Found | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => null);
  if (stat === null) return null;
  // The second field is the program's name in parentheses, which may contain anything.
  const end = stat.lastIndexOf(")");
  const fields = stat.slice(end + 2).split(" ");
  const name = stat.slice(stat.indexOf("(") + 1, end);
  return {
    pid,
    parent: Number(fields[1]),
    session: Number(fields[3]),
    state: fields[0] ?? "Z",
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    memoryBytes: null,
    command: async () => commandOf(pid, name),
  };
}

function commandOf(pid: number, name: string): readonly string[] {
  const line = procFile(`/proc/${pid}/cmdline`, "utf8");
  return line === "" ? [name] : line.replace(/\0$/, "").split("\0");
}

async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

async function fromPs(): Promise<readonly Found[]> {
  const args = ["-A", "-o", "pid=,ppid=,stat=,rss=,time=,command="];
  const { stdout } = await promisify(execFile)(systemProgram("ps"), args, {
    env: systemEnvironment,
    maxBuffer: 2 ** 26,
  }).catch(() => ({
    stdout: "",
  }));
  return stdout.split("\n").flatMap((line) => {
    const [, pid, parent, state = "Z", rss, time = "0", command = ""] =
      /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined) return [];
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        session: null,
        state,
        cpuSeconds: secondsOf(time),
        memoryBytes: Number(rss) * 1024,
        command: async () => command.split(" "),
      },
    ];
  });
}

/** `1-02:03:04.5`, `2:03.4` */
function secondsOf(time: string): number {
  const [days, clock = ""] = time.includes("-") ? time.split("-") : ["0", time];
  return clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) + Number(days) * 86_400;
}
