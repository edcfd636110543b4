import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { hasDescriptors } from "../../../support/process/descriptors.ts";
import { systemEnvironment, systemProgram } from "../../../support/process/system-program.ts";

/** The memory of a process in bytes; null when unknown, such as after its end. */
export async function memoryOf(pid: number): Promise<number | null> {
  const kilobytes = process.platform === "linux" ? await fromProc(pid) : await fromPs(pid);
  return kilobytes === null ? null : kilobytes * 1024;
}

async function fromProc(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return wholeNumber(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]);
}

async function fromPs(pid: number): Promise<number | null> {
  if (!hasDescriptors()) return null;
  const { stdout } = await promisify(execFile)(systemProgram("ps"), ["-o", "rss=", "-p", String(pid)], {
    env: systemEnvironment,
  }).catch(() => ({
    stdout: "",
  }));
  return wholeNumber(/^\s*(\d+)\s*$/.exec(stdout)?.[1]);
}

function wholeNumber(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits);
}
