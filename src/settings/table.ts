import {
  type Kind,
  lineOrNone,
  numberBetween,
  oneOf,
  onOff,
  secretOrNone,
  wholeNumberBetween,
  wordsFor,
} from "./kinds.ts";
import { moduleNamesOrAuto, switchOrAuto, switchOrFile, variableNames, webAddressOrNone } from "./special-kinds.ts";

/** Everything that is known about a setting, apart from its name. */
export interface Setting<T> {
  readonly kind: Kind<T>;
  readonly default: T;
  /** For people: what it does, and why the default is what it is. */
  readonly purpose: string;
  /** A variable with a documented name of its own, which wins over `GRANARY_…`. */
  readonly variable?: { readonly name: string; readonly kind?: Kind<T> };
  /** Why a folder that somebody has cloned may not choose this for them. */
  readonly notForProjects?: string;
  /** A text is a path: `~` and paths relative to the working folder become absolute. */
  readonly isPath?: boolean;
}

/** Every setting and its default; `docs/settings.md` is made from this. */
export const settingsTable = {
  "python.toolMode": setting({
    kind: oneOf("both", "ipy-only", "bash-only"),
    default: "both",
    purpose: "Which tools an agent is offered: Python and bash, only Python, or only bash.",
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
      "What kernels run on. `auto` is the gateway of `python.gatewayUrl` if there is one, or of Jupyter's own " +
      "JUPYTER_GATEWAY_URL, else the embedded runner, which needs nothing but Python.",
  }),
  "python.kernel": setting({
    kind: lineOrNone,
    default: null,
    purpose:
      "The name of a Jupyter kernelspec, in whatever language, to be started instead of Python; on the backends `zmq` and " +
      "`gateway`. `auto` is `zmq` then.",
  }),
  "python.sharedGateway": setting({
    kind: onOff,
    default: true,
    purpose:
      "Local Jupyter kernels share one gateway. `false` is refused where that gateway would be used: there is no other.",
  }),
  "python.gatewayUrl": setting({
    kind: webAddressOrNone,
    default: null,
    purpose: "A Jupyter gateway or server that runs already, to be used instead of starting one.",
    variable: { name: "PI_PYTHON_GATEWAY_URL" },
  }),
  "python.gatewayToken": setting({
    kind: secretOrNone,
    default: null,
    purpose:
      "The token of that gateway. Never shown, and never combined with an address that a project's file has set.",
    variable: { name: "PI_PYTHON_GATEWAY_TOKEN" },
  }),
  "python.interpreter": setting({
    kind: lineOrNone,
    default: null,
    purpose:
      "The Python to use, with no search for another. `~`, paths relative to the working folder and names on PATH, such as " +
      "`python3.12`, are allowed.",
  }),
  "python.allowEnv": setting({
    kind: variableNames,
    default: [],
    purpose:
      "More environment variables that Python may see, besides the harmless ones that it always sees. A project's file " +
      "cannot allow what looks like a secret, by its name or by a login in its value.",
  }),
  "python.projectModules": setting({
    kind: onOff,
    default: true,
    purpose:
      "Kernels run the Python files in `.granary/modules` of the working folder when they start. Turn it off if you open " +
      "folders that you do not trust.",
    notForProjects: "a folder that you do not trust must not turn itself on",
  }),
  "python.warm": setting({
    kind: switchOrAuto,
    default: "auto",
    purpose:
      "Forks kernels from a warm Python in hosts that run for longer than a second: about 3 ms instead of 30, and shared memory. " +
      "`auto` does so on Linux. On the embedded runner only.",
  }),
  "python.preload": setting({
    kind: moduleNamesOrAuto,
    default: "auto",
    purpose:
      "The modules that a warm Python imports ahead, so that `import pandas` in a cell takes no time. `auto` remembers " +
      "what cells in this folder used before; `[]` is none. Only installed modules that leave no thread or file behind.",
  }),
  "python.timeoutSeconds": setting({
    kind: numberBetween({ from: 1, to: 600 }),
    default: 30,
    purpose: "How long a cell may take when the caller does not say.",
  }),
  "python.interruptGraceSeconds": setting({
    kind: numberBetween({ from: 0, to: 600 }),
    default: 5,
    purpose:
      "How long Python may leave an interrupt unanswered before its kernel is ended; a cell that only cleans up too long is interrupted again. 0 ends it at once.",
  }),
  "python.startSeconds": setting({
    kind: numberBetween({ from: 1, to: 600 }),
    default: 30,
    purpose: "How long a kernel may take to start. A cold disk is slow; a kernel that hangs should not be waited for.",
  }),
  "python.maxSessions": setting({
    kind: wholeNumberBetween({ from: 1, to: 1000 }),
    default: 4,
    purpose:
      "How many sessions have a kernel at the same time; each is a Python with its memory. MCP, pi and the console: 32.",
  }),
  "python.idleMinutes": setting({
    kind: numberBetween({ from: 0.01, to: 10_080, zero: "never" }),
    default: 5,
    purpose:
      "When the kernel of an unused session is ended. A busy one never is. MCP, pi and the console: 1440, which is 24 hours.",
  }),
  "python.lowMemoryPercent": setting({
    kind: numberBetween({ from: 0.1, to: 100, zero: "never" }),
    default: 5,
    purpose:
      "Memory is short when less than this share of it is available, on the machine or in the container. Then kernels that " +
      "were unused for a minute are ended, the least recently used first, until it is not. Linux only.",
  }),
  "python.sweepSeconds": setting({
    kind: numberBetween({ from: 0.1, to: 3600 }),
    default: 30,
    purpose: "How often idle sessions and short memory are looked for.",
  }),
  "python.heartbeatSeconds": setting({
    kind: numberBetween({ from: 0.1, to: 3600, zero: "no heartbeat" }),
    default: 5,
    purpose:
      "How often kernels are looked at: whether the process is stopped, whether the server still has the kernel. A Python that is only busy is never given up.",
  }),
  "python.crashRetry": setting({
    kind: oneOf("once", "never"),
    default: "never",
    purpose:
      "Whether a cell that ended its kernel runs again in a fresh one. `once` repeats everything that the cell did before " +
      "the crash, such as an appended line, and the result reports it. Never in `per-call` mode.",
  }),
  "python.backgroundHours": setting({
    kind: numberBetween({ from: 0.01, to: 168 }),
    default: 2,
    purpose: "The longest that a cell may run in the background, so that a forgotten one ends.",
  }),
  "python.skipCheck": setting({
    kind: onOff,
    default: false,
    purpose: "Skips the check that Python works before it is needed, and what is prepared meanwhile.",
    variable: { name: "PI_PYTHON_SKIP_CHECK" },
  }),
  "python.ipcTrace": setting({
    kind: switchOrFile,
    default: false,
    purpose: "Writes down every message to and from kernels, with secrets masked.",
    variable: { name: "PI_PYTHON_IPC_TRACE" },
    notForProjects: "it would write into any file that is yours",
    isPath: true,
  }),
  "tools.eval": setting({
    kind: onOff,
    default: false,
    purpose:
      "Offers agents the tool `eval` besides `python`: the same, with a language and a reset for every cell. Two forms of " +
      "one job make a model hesitate, so there is one by default.",
  }),
  "output.budgetBytes": setting({
    kind: wholeNumberBetween({ from: 1024, to: 16_777_216 }),
    default: 51_200,
    purpose: "How much of a cell's output is handed on; the whole of it goes into an artifact.",
  }),
  "output.headBytes": setting({
    kind: wholeNumberBetween({ from: 0, to: 16_777_216 }),
    default: 20_480,
    purpose:
      "How much of that is the beginning; the rest is the end, where errors are. 0 keeps only the end. The default " +
      "becomes 40 % of a smaller budget.",
  }),
  "output.maxLines": setting({
    kind: wholeNumberBetween({ from: 10, to: 1_000_000 }),
    default: 3000,
    purpose: "How many lines are handed on, even if they are short.",
  }),
  "output.maxLineBytes": setting({
    kind: wholeNumberBetween({ from: 80, to: 16_777_216 }),
    default: 4096,
    purpose: "Where a long line is cut, so that a single one does not use up the budget.",
  }),
  "artifacts.maxMegabytes": setting({
    kind: wholeNumberBetween({ from: 1, to: 1_048_576 }),
    default: 1024,
    purpose: "How much all artifacts may take on disk; the oldest make room.",
  }),
  "artifacts.keepDays": setting({
    kind: wholeNumberBetween({ from: 1, to: 3650 }),
    default: 7,
    purpose: "How long an artifact is kept.",
  }),
  "notebook.maxCellMegabytes": setting({
    kind: wholeNumberBetween({ from: 1, to: 400 }),
    default: 100,
    purpose:
      "How much of one cell's output is written into a notebook, so that an endless print does not fill the disk. The " +
      "notebook says what was left out.",
  }),
  "console.pictures": setting({
    kind: oneOf("auto", "kitty", "iterm2", "sixel", "half-block", "none"),
    default: "auto",
    purpose:
      "How pictures are drawn on a terminal: by the console, the notebook view, `granary run` and `granary notebook show`. " +
      "`auto` is what the terminal is known to understand, else characters in two colours, which every terminal shows; " +
      "`none` only names them.",
  }),
  "console.pictureRows": setting({
    kind: wholeNumberBetween({ from: 1, to: 500, zero: "as many as the window has" }),
    default: 0,
    purpose:
      "How many rows a picture may have in the console. More than the window has make the labels of a plot easier to read, above " +
      "all with half blocks; scroll up to see its top.",
  }),
  "console.suggestions": setting({
    kind: onOff,
    default: true,
    purpose:
      "Shows behind the cursor how an earlier line went on that began alike; → takes it. Turn it off if a screen reader reads it " +
      "out. Without colours there are none, because nobody could tell them from what was typed.",
  }),
  "console.confirmExit": setting({
    kind: onOff,
    default: true,
    purpose: "Ctrl-D and a second Ctrl-C ask before they leave a console whose Python holds variables.",
  }),
  "debug.startup": setting({
    kind: onOff,
    default: false,
    purpose: "Tells on stderr what happens at the start, with times.",
    variable: { name: "PI_DEBUG_STARTUP" },
  }),
};

function setting<T>(described: Omit<Setting<T>, "default"> & { readonly default: NoInfer<T> }): Setting<T> {
  return described;
}
