import { usualBudget } from "../support/usual-budget.ts";
import {
  lineOrNone,
  lowest,
  numberBetween,
  oneOf,
  onOff,
  secretOrNone,
  setting,
  stricter,
  wholeNumberBetween,
  wordsFor,
} from "./kinds.ts";
import {
  bothNetworks,
  commandWords,
  folderNames,
  moduleNamesOrAuto,
  networkOrHosts,
  switchOrAuto,
  switchOrFile,
  variableNames,
  webAddressOrNone,
} from "./special-kinds.ts";

/** Every setting and its default; the tables in `docs/settings.md` are made from this. */
export const settingsTable = {
  "python.toolMode": setting({
    kind: oneOf("both", "ipy-only", "bash-only"),
    default: "both",
    purpose:
      "The tools that agents get: Python and bash, only Python, or only bash. A project's file cannot give back what you have taken away.",
    tighten: (project, user) => (user === "both" ? project : user),
    variable: {
      name: "PI_PY",
      kind: wordsFor({ "bash-only": ["0", "bash"], "ipy-only": ["1", "py"], both: ["mix", "both"] }),
    },
  }),
  "python.kernelMode": setting({
    kind: oneOf("session", "per-call"),
    default: "session",
    purpose: "`session` keeps variables from call to call; `per-call` gives every call a fresh kernel.",
  }),
  "python.backend": setting({
    kind: oneOf("auto", "runner", "gateway", "zmq"),
    default: "auto",
    purpose:
      "The backend that runs kernels. `auto` uses the gateway of `python.gatewayUrl` or of Jupyter's own " +
      "JUPYTER_GATEWAY_URL if one is set, else the embedded runner, which needs only Python.",
  }),
  "python.kernel": setting({
    kind: lineOrNone,
    default: null,
    purpose:
      "The name of a Jupyter kernelspec, in any language, to start instead of Python, on the backends `zmq` and " +
      "`gateway`. With a name, `auto` means `zmq`.",
    needsTrust: true,
  }),
  "python.sharedGateway": setting({
    kind: onOff,
    default: true,
    purpose:
      "Local Jupyter kernels share one gateway. With `false`, calls that need this gateway fail: there is no other. A project's file cannot turn it on again.",
    tighten: (project, user) => project && user,
  }),
  "python.gatewayUrl": setting({
    kind: webAddressOrNone,
    default: null,
    purpose: "The address of a running Jupyter gateway or server, used instead of starting one.",
    needsTrust: true,
    variable: { name: "PI_PYTHON_GATEWAY_URL" },
  }),
  "python.gatewayToken": setting({
    kind: secretOrNone,
    default: null,
    purpose: "The token of that gateway. Never shown, and never sent to an address from a project's file.",
    variable: { name: "PI_PYTHON_GATEWAY_TOKEN" },
  }),
  "python.interpreter": setting({
    kind: lineOrNone,
    default: null,
    purpose:
      "The Python to use, without searching for another: a path, absolute, with `~` or relative to the working folder, or " +
      "a name on PATH, such as `python3.12`.",
    needsTrust: true,
  }),
  "python.allowEnv": setting({
    kind: variableNames,
    default: [],
    purpose:
      "Environment variables to pass to Python besides the harmless ones that always pass. A project's file needs " +
      "[trust](trust.md) for this, and cannot allow variables that look like secrets, by their name or by a login in their value.",
    needsTrust: true,
  }),
  "python.projectModules": setting({
    kind: onOff,
    default: true,
    purpose:
      "Kernels run the Python files in `.granary/modules` of the working folder when they start, if you trust that folder: " +
      "see [trust](trust.md). `false` runs them nowhere.",
    notForProjects: "a folder that you do not trust must not turn itself on",
  }),
  "python.sandbox": setting({
    kind: oneOf("off", "workspace", "strict"),
    default: "off",
    purpose:
      "Limits Python, its children and commands: see [sandbox](sandbox.md). `workspace` reads everything but secrets and writes only the " +
      "working folder; `strict` sees only the system, the interpreter and the working folder. On the embedded runner only.",
    tighten: stricter("off", "workspace", "strict"),
  }),
  "python.sandboxNetwork": setting({
    kind: networkOrHosts,
    default: "off",
    purpose:
      "The network of programs in a sandbox: none, all of it, or some hosts through a proxy, which refuses addresses of this machine and private ones. A project's " +
      "file can only shorten the list.",
    tighten: bothNetworks,
  }),
  "python.sandboxWrite": setting({
    kind: folderNames,
    default: [],
    purpose: "More folders that programs in a sandbox may write.",
    notForProjects: "a folder that you do not trust must not open others",
  }),
  "python.sandboxEngine": setting({
    kind: oneOf("auto", "bwrap", "landlock", "sandbox-exec"),
    default: "auto",
    purpose:
      "The sandbox's engine: `bwrap` is bubblewrap, which a `strict` sandbox needs; `landlock` is Landlock with seccomp. `auto` takes bubblewrap where it works, else Landlock; on macOS sandbox-exec.",
    notForProjects: "it decides how much a sandbox protects",
  }),
  "python.launcher": setting({
    kind: commandWords,
    default: [],
    purpose:
      "A command to put in front of Python, such as a container or a sandbox of your own. It must pass on descriptors 0 to 6 and end as Python " +
      "ends. The first word is a name on PATH, never of the working folder, or a full path. On the embedded runner only; `python.sandbox` goes inside of it.",
    notForProjects: "it is a program to run",
  }),
  "python.memoryLimitMb": setting({
    kind: numberBetween({ from: 16, to: 16_777_216, zero: "none" }),
    default: 0,
    purpose:
      "Most memory of a kernel and its children, in megabytes. A cell that reaches it usually gets MemoryError; a kernel whose processes together use more " +
      "is ended. Linux only.",
    tighten: lowest,
  }),
  "python.cpuSeconds": setting({
    kind: numberBetween({ from: 1, to: 604_800, zero: "none" }),
    default: 0,
    purpose: "Most CPU time of one cell, with the processes that it starts; then the kernel is ended. Linux only.",
    tighten: lowest,
  }),
  "python.maxProcesses": setting({
    kind: wholeNumberBetween({ from: 1, to: 100_000, zero: "no limit" }),
    default: 0,
    purpose: "Most processes of a kernel, itself included; with more, the kernel is ended. Linux only.",
    tighten: lowest,
  }),
  "python.warm": setting({
    kind: switchOrAuto,
    default: "auto",
    purpose:
      "Forks kernels from a warm Python, from the second kernel of a host on: about 3 ms instead of 30, and shared memory. " +
      "`auto` does so on Linux, `true` also on macOS, `false` never. On the embedded runner only.",
  }),
  "python.preload": setting({
    kind: moduleNamesOrAuto,
    default: "auto",
    purpose:
      "The modules that a warm Python imports ahead, so that `import pandas` in a cell takes no time. `auto`: of what cells in this folder " +
      "used before, packages that are known to be harmless, such as numpy; `[]` is none. Only installed modules, and only if the import changes nothing else.",
  }),
  "python.checkpoints": setting({
    kind: oneOf("off", "auto", "always"),
    default: "auto",
    purpose:
      "Before a cell, the kernel forks a sleeping copy of itself: a crash loses nothing, and cells can be undone. `auto` does so " +
      "wherever the fork is quick, and not in a process that ends with its cells, such as `granary run`; `always` before every " +
      "cell. On the embedded runner, on Linux.",
  }),
  "python.checkpointCopies": setting({
    kind: wholeNumberBetween({ from: 1, to: 50 }),
    default: 5,
    purpose: "Most checkpoints of a session: the newest, and fewer of the older ones.",
  }),
  "python.checkpointMemoryMb": setting({
    kind: wholeNumberBetween({ from: 1, to: 1_000_000 }),
    default: 1024,
    purpose:
      "Most memory that the checkpoints of a session may hold besides its kernel. A copy holds only what has changed since. " +
      "Granary drops the oldest first.",
  }),
  "python.timeoutSeconds": setting({
    kind: numberBetween({ from: 1, to: 600 }),
    default: 30,
    purpose:
      "How long a tool call waits if it sets no timeout; longer work continues as an execution. `executePython` interrupts its " +
      "code after this time.",
  }),
  "python.hardLimitSeconds": setting({
    kind: numberBetween({ from: 1, to: 604_800, zero: "none" }),
    default: 0,
    purpose:
      "Interrupts the cells of a tool call, a cell of a notebook that a tool runs, or a command of the tool bash after this " +
      "time. None by default: long work continues after its call returns. A project's file can only lower it.",
    tighten: lowest,
  }),
  "python.interruptGraceSeconds": setting({
    kind: numberBetween({ from: 0, to: 600 }),
    default: 5,
    purpose:
      "Granary ends a kernel that has not reacted to an interrupt for this long. A cell that only takes long to clean up is interrupted again. 0 ends the kernel at once.",
  }),
  "python.startSeconds": setting({
    kind: numberBetween({ from: 1, to: 600 }),
    default: 30,
    purpose: "Timeout for the start of a kernel: long enough for a cold disk, short enough for a kernel that hangs.",
  }),
  "python.maxSessions": setting({
    kind: wholeNumberBetween({ from: 1, to: 1000 }),
    default: 4,
    purpose:
      "Most sessions with a kernel at the same time; each is a Python with its memory. MCP, pi and the console: 32.",
  }),
  "python.idleMinutes": setting({
    kind: numberBetween({ from: 0.01, to: 10_080, zero: "never" }),
    default: 5,
    purpose:
      "Granary ends the kernel of a session that has been unused for this long, and never a busy one. MCP, pi and the console: 1440, which is 24 hours.",
  }),
  "python.lowMemoryPercent": setting({
    kind: numberBetween({ from: 0.1, to: 100, zero: "never" }),
    default: 5,
    purpose:
      "Memory is short when less than this share is available, on the machine or in the container. Granary then ends " +
      "checkpoints, then kernels that were unused for a minute, the least recently used first, until enough is available. Linux only.",
  }),
  "python.sweepSeconds": setting({
    kind: numberBetween({ from: 0.1, to: 3600 }),
    default: 30,
    purpose: "Time between two checks for idle sessions and short memory.",
  }),
  "python.heartbeatSeconds": setting({
    kind: numberBetween({ from: 0.1, to: 3600, zero: "no heartbeat" }),
    default: 5,
    purpose:
      "Time between two checks of a kernel: is the process stopped, does the server still have the kernel? Granary never gives up a Python that is only busy.",
  }),
  "python.crashRetry": setting({
    kind: oneOf("once", "never"),
    default: "never",
    purpose:
      "`once` runs a cell that crashed its kernel again in a fresh one. The second run repeats all effects of the first, " +
      "such as an appended line, and the result reports the repetition. Never in `per-call` mode, nor where a checkpoint takes over.",
  }),
  "python.backgroundHours": setting({
    kind: numberBetween({ from: 0.01, to: 168 }),
    default: 2,
    purpose:
      "Longest time that a cell may run in the background, or after its call has returned, so that a forgotten one ends.",
  }),
  "python.skipCheck": setting({
    kind: onOff,
    default: false,
    purpose: "Skips the early check that Python works, and the preparations during that check.",
    variable: { name: "PI_PYTHON_SKIP_CHECK" },
  }),
  "python.ipcTrace": setting({
    kind: switchOrFile,
    default: false,
    purpose: "Logs every message to and from kernels, with secrets masked.",
    variable: { name: "PI_PYTHON_IPC_TRACE" },
    notForProjects: "the log could overwrite any of your files",
    isPath: true,
  }),
  "tools.eval": setting({
    kind: onOff,
    default: false,
    purpose:
      "Offers agents the tool `eval` besides `python`: the same, with a language and a reset for every cell. Off by " +
      "default, because models hesitate between two tools for one job.",
  }),
  "output.budgetBytes": setting({
    kind: wholeNumberBetween({ from: 1024, to: 16_777_216 }),
    default: usualBudget.bytes,
    purpose:
      "Most bytes of a cell's output in its result, about 5,000 tokens; an artifact has the whole output. The console: 51200.",
  }),
  "output.headBytes": setting({
    kind: wholeNumberBetween({ from: 0, to: 16_777_216 }),
    default: usualBudget.headBytes,
    purpose:
      "The part of that budget for the beginning; the rest is for the end, where errors are. 0 keeps only the end. With " +
      "another budget, the default is 40 % of the budget.",
  }),
  "output.maxLines": setting({
    kind: wholeNumberBetween({ from: 10, to: 1_000_000 }),
    default: usualBudget.lines,
    purpose: "Most lines of a cell's output in its result, even if they are short.",
  }),
  "output.maxLineBytes": setting({
    kind: wholeNumberBetween({ from: 80, to: 16_777_216 }),
    default: usualBudget.lineBytes,
    purpose: "Granary cuts longer lines, so that a single line does not use up the budget.",
  }),
  "output.foldLines": setting({
    kind: onOff,
    default: true,
    purpose:
      "More than 100 printed lines in a row that differ only in their numbers become their first and last 10 lines, with the exact " +
      "number of lines between; an artifact has the whole output. Never in the console, in notebooks and in tracebacks.",
  }),
  "artifacts.maxMegabytes": setting({
    kind: wholeNumberBetween({ from: 1, to: 1_048_576 }),
    default: 1024,
    purpose: "Disk space for all artifacts; Granary deletes the oldest first.",
    notForProjects: "all your folders share the space, so it would delete artifacts of the others",
  }),
  "artifacts.keepDays": setting({
    kind: wholeNumberBetween({ from: 1, to: 3650 }),
    default: 7,
    purpose: "Granary deletes older artifacts.",
    notForProjects: "it would delete artifacts of your other folders",
  }),
  "notebook.maxCellMegabytes": setting({
    kind: wholeNumberBetween({ from: 1, to: 400 }),
    default: 100,
    purpose:
      "Most output of one cell that a notebook stores, so that an endless print does not fill the disk. The notebook " +
      "reports omitted output.",
  }),
  "console.pictures": setting({
    kind: oneOf("auto", "kitty", "iterm2", "sixel", "half-block", "none"),
    default: "auto",
    purpose:
      "How the console, the notebook view, `granary run` and `granary notebook show` draw pictures. `auto` uses a format " +
      "that the terminal is known to support, else half blocks, which every terminal shows; `none` only names the files.",
  }),
  "console.pictureRows": setting({
    kind: wholeNumberBetween({ from: 1, to: 500, zero: "as many as the window has" }),
    default: 0,
    purpose:
      "Most rows of a picture in the console. With more rows than the window has, labels of a plot are easier to read, above all " +
      "with half blocks; scroll up to see the top.",
  }),
  "console.suggestions": setting({
    kind: onOff,
    default: true,
    purpose:
      "Suggests after the cursor the rest of an earlier line that began alike; → accepts it. Turn this off if a screen reader reads " +
      "suggestions out. Without colours there are none, because they would look like typed text.",
  }),
  "console.confirmExit": setting({
    kind: onOff,
    default: true,
    purpose: "Ctrl-D and a second Ctrl-C ask before they leave a console whose Python has variables.",
  }),
  "hub.use": setting({
    kind: oneOf("auto", "never"),
    default: "auto",
    purpose:
      "`auto` keeps the sessions of MCP clients, pi and `granary run --session` in the hub, a background process that outlives " +
      "them. `never` keeps them in the process of each host, for machines that must not have background processes; a project's file cannot undo that.",
    variable: { name: "GRANARY_HUB" },
    tighten: stricter("auto", "never"),
  }),
  "hub.idleHours": setting({
    kind: numberBetween({ from: 0.001, to: 8760, zero: "never" }),
    default: 24,
    purpose: "The hub ends the kernel of a session that has been unused for this long, and never a busy one.",
  }),
  "hub.maxKernels": setting({
    kind: wholeNumberBetween({ from: 1, to: 1000 }),
    default: 64,
    purpose: "Most kernels in the hub. The idle one that was used least recently makes room for one more.",
  }),
  "hub.maxMegabytes": setting({
    kind: wholeNumberBetween({ from: 10, to: 16_777_216, zero: "no limit" }),
    default: 0,
    purpose:
      "Most memory of all kernels in the hub. Above it, the hub ends kernels that were unused for a minute, the least recently used " +
      "first. Without a limit, it does so when the machine's memory is short.",
  }),
  "hub.endAfterMinutes": setting({
    kind: numberBetween({ from: 0.001, to: 10_080 }),
    default: 10,
    purpose: "The hub ends when it has had neither a client nor a kernel for this long.",
  }),
  "debug.startup": setting({
    kind: onOff,
    default: false,
    purpose: "Reports the steps of the start on stderr, with times.",
    variable: { name: "PI_DEBUG_STARTUP" },
  }),
};
