import { dirname } from "node:path";
import { isWithin } from "../is-within.ts";
import type { SandboxPlan } from "../sandbox-plan.ts";

/** A profile for `sandbox-exec`. Its text has no path in it: a name with a quote or a parenthesis cannot become a rule. */
export interface SeatbeltProfile {
  readonly text: string;
  /** Paths by the names under which the text asks for them. */
  readonly parameters: Readonly<Record<string, string>>;
}

type Limits = Pick<SandboxPlan, "network" | "write" | "show" | "hide" | "readOnly" | "anchors">;

/** The limits of a plan, whose paths have no links. Of several rules that fit, the last one counts. */
export function seatbeltProfile({ network, write, show, hide, readOnly, anchors }: Limits): SeatbeltProfile {
  const shownInHidden = [...show, ...write].filter((path) => hide.some((folder) => isWithin(folder, path)));
  const hiddenInWritable = hide.filter((path) => write.some((folder) => isWithin(folder, path)));
  const groups = {
    HIDE: hide,
    ABOVE: [...new Set(shownInHidden.flatMap((path) => foldersAbove(path, hide)))],
    SHOW: show,
    WRITE: write,
    READONLY: readOnly,
    ANCHOR: [...anchors, ...write],
    INSIDE: hiddenInWritable,
  };
  const rules = [
    ...base,
    ...(network === "on" ? internet : []),
    ...rule("(deny file-read* file-write*", "HIDE", groups.HIDE, whole),
    // Programs ask for the kind of every folder on the way to a file.
    ...rule("(allow file-read-metadata", "ABOVE", groups.ABOVE, itself),
    ...rule("(allow file-read*", "SHOW", groups.SHOW, whole),
    ...rule("(allow file-read* file-write* file-ioctl", "WRITE", groups.WRITE, whole),
    ...rule("(allow network-bind", "WRITE", groups.WRITE, (path) => `(local unix-socket (subpath ${path}))`),
    ...rule("(allow network-outbound", "WRITE", groups.WRITE, sockets),
    ...rule("(deny file-write*", "READONLY", groups.READONLY, whole),
    // A rename removes the old name.
    ...rule("(deny file-write-unlink", "ANCHOR", groups.ANCHOR, itself),
    ...rule("(deny file-read* file-write*", "INSIDE", groups.INSIDE, whole),
    ...rule("(deny network-outbound", "INSIDE", groups.INSIDE, sockets),
  ];
  const parameters = Object.entries(groups).flatMap(([name, paths]) =>
    paths.map((path, index) => [`${name}_${index}`, path] as const),
  );
  return { text: `${rules.join("\n")}\n`, parameters: Object.fromEntries(parameters) };
}

function rule(
  start: string,
  name: string,
  paths: readonly string[],
  filter: (parameter: string) => string,
): readonly string[] {
  if (paths.length === 0) return [];
  return [start, ...paths.map((_, index) => `  ${filter(`(param "${name}_${index}")`)}`), ")"];
}

function itself(path: string): string {
  return `(literal ${path})`;
}

/** A file, or a folder and everything in it. */
function whole(path: string): string {
  return `(literal ${path}) (subpath ${path})`;
}

function sockets(path: string): string {
  return `(remote unix-socket (subpath ${path}))`;
}

/** From the hidden folder down to the path, without the path. */
function foldersAbove(path: string, hide: readonly string[]): readonly string[] {
  const above = dirname(path);
  return hide.some((folder) => isWithin(folder, above)) ? [...foldersAbove(above, hide), above] : [];
}

/** Facts about the machine. Not `kern.procargs2`, which has the environments of other processes. */
const systemFacts = [
  ...["kern.argmax", "kern.hostname", "kern.maxfiles", "kern.maxfilesperproc", "kern.maxproc", "kern.ngroups"],
  ...["kern.osproductversion", "kern.osrelease", "kern.ostype", "kern.osvariant_status", "kern.osversion"],
  ...["kern.secure_kernel", "kern.usrstack64", "kern.version", "sysctl.proc_cputype", "sysctl.proc_translated"],
  ...["vm.loadavg", "security.mac.lockdown_mode_state"],
];

/** Names of users and groups, and no service that acts for the user: no keychain, no launching of programs. */
const services = ["com.apple.system.opendirectoryd.libinfo", "com.apple.system.opendirectoryd.membership"];

const serviceOfNames = '(remote unix-socket (path-literal "/private/var/run/mDNSResponder"))';
const servicesOfNetwork = [
  ...["com.apple.SystemConfiguration.DNSConfiguration", "com.apple.SystemConfiguration.configd"],
  ...["com.apple.networkd", "com.apple.trustd.agent"],
];

const base = [
  "(version 1)",
  "(deny default)",
  "(allow process-exec)",
  "(allow process-fork)",
  "(allow signal (target same-sandbox))",
  "(allow process-info* (target same-sandbox))",
  "(allow sysctl-read",
  '  (sysctl-name-prefix "hw.") (sysctl-name-prefix "machdep.cpu.")',
  ...systemFacts.map((name) => `  (sysctl-name "${name}")`),
  ")",
  ...allowServices(services),
  // multiprocessing makes its locks and its shared memory there.
  "(allow ipc-posix-sem)",
  '(allow ipc-posix-shm-read* ipc-posix-shm-write* (ipc-posix-name-prefix "/psm_"))',
  "(allow system-socket (socket-domain AF_UNIX))",
  "(allow file-map-executable)",
  "(allow file-read*)",
  // Terminals of the user's other programs, but for those that programs inside open.
  '(deny file-read* file-write* (regex #"^/dev/tty"))',
  "(allow pseudo-tty)",
  "(allow file-read* file-write* file-ioctl",
  ...["null", "zero", "random", "urandom", "ptmx"].map((name) => `  (literal "/dev/${name}")`),
  '  (require-all (regex #"^/dev/ttys[0-9]+$") (extension "com.apple.sandbox.pty"))',
  ")",
];

const internet = [
  "(allow system-socket)",
  '(allow network-outbound (remote ip "*:*"))',
  '(allow network-inbound (local ip "*:*"))',
  '(allow network-bind (local ip "*:*"))',
  `(allow network-outbound ${serviceOfNames})`,
  ...allowServices(servicesOfNetwork),
];

function allowServices(names: readonly string[]): readonly string[] {
  return ["(allow mach-lookup", ...names.map((name) => `  (global-name "${name}")`), ")"];
}
