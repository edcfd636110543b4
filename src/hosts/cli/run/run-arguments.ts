import { neverPassed } from "../../../python/environment/passed-variables.ts";
import type { Settings, SettingsOverrides } from "../../../settings/settings.ts";
import type { Environment } from "../../../support/environment.ts";
import { parseArguments } from "../command/parse-arguments.ts";
import { UsageError } from "../command/usage-error.ts";

export interface RunArguments {
  readonly source: RunSource;
  /** Infinity for no timeout. */
  readonly timeoutMs: number;
  /** Undefined for the current one. */
  readonly cwd: string | undefined;
  readonly json: boolean;
  /** The session's name, which is in the ids of its artifacts. */
  readonly session: string | undefined;
  /** Return at once, and leave the cells running in the hub. */
  readonly background: boolean;
  /** Start with a fresh kernel. */
  readonly reset: boolean;
  /** The Python to run on. */
  readonly interpreter: string | undefined;
  readonly backend: Settings["python"]["backend"] | undefined;
  /** The name of a kernelspec. */
  readonly kernel: string | undefined;
  /** The connection file of a kernel that runs already. */
  readonly attach: string | undefined;
  /** Variables for the cells, besides those that are passed by default. */
  readonly extraEnv: Readonly<Record<string, string>>;
  /** True when the folder's own files may run code; undefined to ask what the user has told `granary trust`. */
  readonly trust: true | undefined;
  /** The value of `python.sandbox`, or its lower limit. */
  readonly sandbox: NonNullable<SettingsOverrides["python"]>["sandbox"];
}

type RunSource = CellSource | ProgramSource;

/** `args` are for `sys.argv`. */
export type CellSource =
  | { readonly type: "code"; readonly cells: readonly string[] }
  | { readonly type: "stdin"; readonly askedFor: boolean; readonly args: readonly string[] };

/** Sources that run as `python FILE ARGS` and `python -m MODULE ARGS` would. */
export type ProgramSource =
  | { readonly type: "file"; readonly path: string; readonly args: readonly string[] }
  | { readonly type: "module"; readonly name: string; readonly args: readonly string[] };

export const runOptions = {
  code: { type: "string", short: "c", multiple: true },
  timeout: { type: "string" },
  cwd: { type: "string" },
  json: { type: "boolean" },
  session: { type: "string" },
  background: { type: "boolean" },
  reset: { type: "boolean" },
  python: { type: "string" },
  backend: { type: "string" },
  kernel: { type: "string" },
  attach: { type: "string" },
  env: { type: "string", multiple: true },
  trust: { type: "boolean" },
  sandbox: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

export function parseRunArguments(args: readonly string[], env: Environment): RunArguments | "help" {
  const { before, program } = splitAtProgram(args);
  if (program === null) refuseModule(before);
  const { values, positionals } = parseArguments(before, runOptions, args[before.length]);
  if (values.help) return "help";
  return {
    source: program ?? chooseSource(values.code, positionals),
    timeoutMs: parseTimeout(values.timeout),
    cwd: values.cwd,
    json: values.json ?? false,
    session: checkSession(values.session),
    background: checkBackground(values),
    reset: values.reset ?? false,
    interpreter: values.python,
    backend: parseBackend(values.backend),
    kernel: values.kernel,
    attach: checkAttach(values),
    extraEnv: Object.fromEntries((values.env ?? []).map((given) => parseVariable(given, env))),
    trust: values.trust || undefined,
    sandbox: parseSandbox(values.sandbox),
  };
}

export function isRunOption(typed: string): boolean {
  const name = typed.replace(/=.*/s, "");
  if (name === "-m") return true;
  return Object.entries(runOptions).some(
    ([long, option]) => name === `--${long}` || ("short" in option && name === `-${option.short}`),
  );
}

/** Whether all of these are options of `granary run`. */
export function knowsOptions(before: readonly string[]): boolean {
  try {
    parseArguments(before, runOptions);
    return true;
  } catch {
    return false;
  }
}

/** `NAME=VALUE`, or `NAME` for its current value. */
function parseVariable(given: string, env: Environment): readonly [name: string, value: string] {
  const [, name = "", value = env[name]] = /^([^=]+)(?:=(.*))?$/s.exec(given) ?? [];
  if (name === "" || name.startsWith("-"))
    throw new UsageError(`--env takes NAME=VALUE or NAME; got ${JSON.stringify(given)}.`);
  const isNeverPassed = neverPassed.some((one) => one.name === name);
  if (isNeverPassed) throw new UsageError(`--env ${name}: Granary never passes that variable to cells.`);
  if (value === undefined) {
    throw new UsageError(`--env ${name}: that variable is not set here. Give it as ${name}=VALUE.`);
  }
  return [name, value];
}

const sandboxes = ["off", "workspace", "strict"] as const;

/** `--sandbox` alone asks for protection, so it takes none away; a mode is the user's word against every file. */
export function parseSandbox(typed: unknown): RunArguments["sandbox"] {
  const found = typed === true ? "at-least-workspace" : sandboxes.find((mode) => mode === typed);
  if (found !== undefined || typed === undefined) return found;
  throw new UsageError(
    `--sandbox takes ${sandboxes.join(", ")}, as in --sandbox=strict; got ${JSON.stringify(typed)}.`,
  );
}

const backends = ["auto", "runner", "zmq", "gateway"] as const;

export function parseBackend(typed: string | undefined): RunArguments["backend"] {
  const found = backends.find((name) => name === typed);
  if (found !== undefined || typed === undefined) return found;
  throw new UsageError(`--backend takes ${backends.join(", ")}; got ${JSON.stringify(typed)}.`);
}

/** A running kernel has been started with all of these, and is not ours to end. */
const notWithAttach = ["backend", "kernel", "python", "cwd", "env", "reset"] as const;

function checkAttach(values: ReturnType<typeof parseArguments<typeof runOptions>>["values"]): string | undefined {
  const [other] = notWithAttach.filter((name) => values[name] !== undefined);
  if (values.attach === undefined || other === undefined) return values.attach;
  throw new UsageError(`--attach joins a kernel as it is, so --${other} cannot be given with it.`);
}

const longestName = 200;

/** An empty name is usually a variable of the shell that is not set. */
function checkSession(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  if (name.trim() === "") throw new UsageError("--session needs a name, as in: --session etl");
  // Other commands take the name without an option before it.
  if (name.startsWith("-"))
    throw new UsageError(`--session needs a name that does not begin with a dash; got ${name}.`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name is shown in lists, one line each
  if (name.length > longestName || /[\0-\x1f\x7f]/.test(name))
    throw new UsageError(`--session takes a name of at most ${longestName} characters, without control characters.`);
  return name;
}

function checkBackground(values: ReturnType<typeof parseArguments<typeof runOptions>>["values"]): boolean {
  if (!values.background) return false;
  if (values.session === undefined || values.attach !== undefined) {
    throw new UsageError("--background needs --session NAME: the cells run on in that session.");
  }
  if (values.json)
    throw new UsageError("--background prints the ids of the executions, so --json is for: granary wait ID");
  return true;
}

interface SplitArguments {
  /** Granary's own options. */
  readonly before: readonly string[];
  /** Null where the code is given with `-c`, or comes from standard input by default. */
  readonly program: Exclude<RunSource, { readonly type: "code" }> | null;
}

/** Options of Granary come before the program; all arguments after it belong to the program, as with `python`. */
export function splitAtProgram(args: readonly string[]): SplitArguments {
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? "";
    const before = args.slice(0, index);
    const behind = args.slice(index + 1);
    const isCode = /^(-c|--code(=|$))/.test(arg);
    if (isCode) break;
    if (arg === "--") return { before, program: fileOrStdin(behind) };
    if (arg.startsWith("-m"))
      return { before, program: moduleNamed(arg === "-m" ? behind : [arg.slice(2), ...behind]) };
    if (arg === "-" || !arg.startsWith("-")) return { before, program: fileOrStdin([arg, ...behind]) };
    if (takesNext(arg)) index += 1;
  }
  return { before: args, program: null };
}

/** Behind `-c`. */
function refuseModule(args: readonly string[]): void {
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? "";
    if (arg === "-c" || takesNext(arg)) index += 1;
    else if (arg.startsWith("-m"))
      throw new UsageError("-c and -m cannot be combined. In a cell, %run -m NAME runs a module.");
  }
}

function takesNext(arg: string): boolean {
  const name = arg.slice(2);
  return Object.hasOwn(runOptions, name) && runOptions[name as keyof typeof runOptions].type === "string";
}

function fileOrStdin([path, ...args]: readonly string[]): SplitArguments["program"] {
  if (path === undefined) return null;
  return path === "-" ? { type: "stdin", askedFor: true, args } : { type: "file", path, args };
}

function moduleNamed([name, ...args]: readonly string[]): ProgramSource {
  if (name === undefined) throw new UsageError("-m needs the name of a module.");
  return { type: "module", name, args };
}

function chooseSource(code: readonly string[] | undefined, [path]: readonly string[]): CellSource {
  if (code === undefined) return { type: "stdin", askedFor: false, args: [] };
  if (path === undefined) return { type: "code", cells: code };
  throw new UsageError(`Give either FILE or -c CODE; both ${path} and -c were given. (Quote code with spaces in it.)`);
}

export function parseTimeout(typed: string | undefined): number {
  if (typed === undefined) return Number.POSITIVE_INFINITY;
  const seconds = Number(typed);
  if (typed.trim() === "" || !(seconds >= 0)) {
    throw new UsageError(
      `--timeout takes seconds, as in --timeout 30 (0 for no timeout); got ${JSON.stringify(typed)}.`,
    );
  }
  return seconds === 0 ? Number.POSITIVE_INFINITY : seconds * 1000;
}
