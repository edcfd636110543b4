import { accessSync, constants, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { procFile } from "../../support/process/proc-files.ts";

const controllers = ["memory", "pids"];

/**
 * The nearest folder of control groups (cgroup v2), from this process upwards, in which this user may make groups with limits and
 * move processes into them. Null where the system delegates none, as in most containers. A group with processes in it cannot limit
 * groups below it, so our own group rarely is the one; in a session of systemd it is `app.slice`.
 */
export function delegatedFolder(own = ownFolder()): string | null {
  if (own === null) return null;
  for (let folder = own.folder; ; folder = dirname(folder)) {
    if (limitsChildren(folder, folder === own.mount)) return folder;
    if (folder === own.mount) return null;
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function limitsChildren(folder: string, isRoot: boolean): boolean {
  if (![folder, join(folder, "cgroup.procs")].every(isWritable)) return false;
  const isOn = () => controllers.every((name) => wordsOf(join(folder, "cgroup.subtree_control")).includes(name));
  // That of the root would change the whole machine.
  if (isOn() || isRoot) return isOn();
  try {
    // The system refuses in a group with processes.
    writeFileSync(join(folder, "cgroup.subtree_control"), controllers.map((name) => `+${name}`).join(" "));
    return isOn();
  } catch {
    return false;
  }
}

function wordsOf(path: string): readonly string[] {
  return procFile(path).trim().split(/\s+/);
}

interface OwnFolder {
  readonly folder: string;
  /** The mount that it is in. */
  readonly mount: string;
}

/** The group of this process, as a folder. */
function ownFolder(): OwnFolder | null {
  if (process.platform !== "linux") return null;
  const group = /^0::(\/.*)$/m.exec(procFile("/proc/self/cgroup"))?.[1];
  const mounted = /^\S+ \S+ \S+ (\S+) (\S+) .* - cgroup2 /m.exec(procFile("/proc/self/mountinfo"));
  if (group === undefined || mounted === null) return null;
  const [, root = "/", mount = ""] = mounted.map(unescaped);
  const below = root === "/" ? group : group.startsWith(`${root}/`) ? group.slice(root.length) : "/";
  // A group outside of what is mounted here has `..` in its name.
  return below.split("/").includes("..") ? null : { folder: below === "/" ? mount : mount + below, mount };
}

function unescaped(text: string): string {
  return text.replace(/\\(\d{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
