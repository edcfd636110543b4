/** Numbers of system calls: x86-64, then ARM64. */
const refused: Readonly<Record<string, readonly [x64: number, arm64: number]>> = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  unshare: [272, 97],
  setns: [308, 268],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  open_by_handle_at: [304, 265],
  fanotify_init: [300, 262],
  acct: [163, 89],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  quotactl: [179, 60],
  syslog: [103, 116],
};

const architectures = {
  x64: { audit: 0xc000003e, column: 0, socket: 41, clone: 56, ioctl: 16, prlimit: 302, prctl: 157 },
  arm64: { audit: 0xc00000b7, column: 1, socket: 198, clone: 220, ioctl: 29, prlimit: 261, prctl: 167 },
} as const;

const clone3 = 435;
/** Flags of `clone` that make namespaces. */
const newNamespaces = 0x7e020000;
/** CLONE_PARENT: the child would be one of Granary, which does not wait for it. */
const siblings = 0x8000;
/** Requests of `ioctl` that type into a terminal: TIOCSTI and TIOCLINUX. */
const typing = [0x5412, 0x541c];

/** PR_SET_MM of `prctl`: a process would choose what `/proc` shows as its variables. */
const setMemoryMap = 35;

const eperm = 1;
const eacces = 13;
const enosys = 38;

/** Families of sockets. */
const unix = 1;
const internet = [2, 10, 16];

// Of struct seccomp_data; the low half of an argument, because both architectures store it first.
const offset = { number: 0, architecture: 4, argument: (index: number): number => 16 + 8 * index };

/**
 * The system calls that a sandbox refuses, as a program for the kernel's filter: debugging other processes, mounts, namespaces,
 * keyrings, io_uring, and sockets of other families. Null on other architectures.
 * @param internetSockets whether there may be sockets that are not of this machine: true in a network namespace
 */
export function seccompFilter(internetSockets: boolean, architecture: string = process.arch): Buffer | null {
  if (architecture !== "x64" && architecture !== "arm64") return null;
  const { audit, column, socket, clone, ioctl, prlimit, prctl } = architectures[architecture];
  const families = internetSockets ? [unix, ...internet] : [unix];
  const program = [
    load(offset.architecture),
    ...unless(audit, fail(eperm)),
    load(offset.number),
    // The 32-bit variant of the calls has other numbers.
    ...(architecture === "x64" ? [jump(greaterOrEqual, 0x40000000, 0, 1), fail(eperm)] : []),
    ...Object.values(refused).flatMap((numbers) => when(numbers[column], fail(eperm))),
    // Its flags are in memory, where a filter cannot look. The C library falls back to clone.
    ...when(clone3, fail(enosys)),
    ...whenBlock(clone, [load(offset.argument(0)), jump(anyBit, newNamespaces | siblings, 0, 1), fail(eperm), allow]),
    ...whenBlock(ioctl, [load(offset.argument(1)), ...typing.flatMap((request) => when(request, fail(eperm))), allow]),
    // Of another process; 0 is this one.
    ...whenBlock(prlimit, [load(offset.argument(0)), ...when(0, allow), fail(eperm)]),
    ...whenBlock(prctl, [load(offset.argument(0)), ...when(setMemoryMap, fail(eperm)), allow]),
    ...whenBlock(socket, [
      load(offset.argument(0)),
      ...families.flatMap((family) => when(family, allow)),
      fail(eacces),
    ]),
    allow,
  ];
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, { code, ifTrue, ifFalse, value }] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  }
  return bytes;
}

interface Instruction {
  readonly code: number;
  readonly value: number;
  readonly ifTrue: number;
  readonly ifFalse: number;
}

const equal = 0x15;
const greaterOrEqual = 0x35;
const anyBit = 0x45;

const allow = instruction(0x06, 0x7fff0000);

function fail(error: number): Instruction {
  return instruction(0x06, 0x00050000 | error);
}

function load(place: number): Instruction {
  return instruction(0x20, place);
}

function jump(test: number, value: number, ifTrue: number, ifFalse: number): Instruction {
  return instruction(test, value, ifTrue, ifFalse);
}

function when(value: number, then: Instruction): readonly Instruction[] {
  return [jump(equal, value, 0, 1), then];
}

function unless(value: number, otherwise: Instruction): readonly Instruction[] {
  return [jump(equal, value, 1, 0), otherwise];
}

function whenBlock(value: number, block: readonly Instruction[]): readonly Instruction[] {
  return [jump(equal, value, 0, block.length), ...block];
}

function instruction(code: number, value: number, ifTrue = 0, ifFalse = 0): Instruction {
  return { code, value, ifTrue, ifFalse };
}
