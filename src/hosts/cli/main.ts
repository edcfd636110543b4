import { isGranaryError } from "../../support/granary-error.ts";
import { type CommandContext, processContext } from "./command/command-context.ts";
import { exitCodeOfError, exitCodes } from "./command/exit-codes.ts";

interface Command {
  readonly summary: string;
  /** Loaded on demand: a command pays only for what it uses. */
  load(): Promise<{ main(args: readonly string[], context: CommandContext): Promise<number> }>;
}

/** The table of commands; help, completions and the man page come from it. */
export const commandTable: Readonly<Record<string, Command>> = {
  console: { summary: "use Python in this terminal; the default", load: () => import("./console.ts") },
  attach: { summary: "use the console in a session of the hub", load: () => import("./attach.ts") },
  run: { summary: "run a script, a module, or code", load: () => import("./run.ts") },
  notebook: { summary: "edit and run Jupyter notebooks", load: () => import("./notebook.ts") },
  sessions: { summary: "list, show, interrupt or stop sessions in the hub", load: () => import("./sessions.ts") },
  look: { summary: "look inside a session: stack, processes, output", load: () => import("./look.ts") },
  wait: { summary: "wait for an execution in the hub", load: () => import("./wait.ts") },
  page: { summary: "see and use the sessions in the browser", load: () => import("./page/page.ts") },
  hub: { summary: "show or stop the hub, which holds sessions", load: () => import("./hub.ts") },
  mcp: { summary: "serve Python and notebooks to MCP clients", load: () => import("./mcp.ts") },
  init: { summary: "give Granary to the agents on this machine", load: () => import("./first-steps/init.ts") },
  skill: { summary: "print a skill file for agents with a shell", load: () => import("./first-steps/skill.ts") },
  doctor: { summary: "show which Python would be used, and what is wrong", load: () => import("./doctor.ts") },
  trust: { summary: "let a folder's own files run code", load: () => import("./trust.ts") },
  setup: { summary: "make Granary's own environment for Jupyter kernels", load: () => import("./setup.ts") },
  gateway: { summary: "show or stop the shared Jupyter gateway", load: () => import("./gateway.ts") },
  artifact: { summary: "open output that was too long for a result", load: () => import("./artifact.ts") },
  completions: {
    summary: "complete commands in bash, zsh or fish",
    load: () => import("./first-steps/completions/completions.ts"),
  },
};

/** The command line: arguments without the program's name in, exit code out. */
export async function main(argv: readonly string[], context: CommandContext = processContext): Promise<number> {
  const lost: NodeJS.ErrnoException[] = [];
  context.stdout.on("error", (error) => lost.push(error));
  context.stderr.on("error", () => {});
  const exitCode = await dispatch(argv, context).catch((error) => explain(error, context));
  // A failure of the last write is reported in the next turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  if (lost[0] === undefined) return exitCode;
  const { exitCodeOfLostOutput } = await import("./command/lost-output.ts");
  return exitCodeOfLostOutput(lost[0], exitCode, context);
}

async function explain(error: unknown, context: CommandContext): Promise<number> {
  // Any other error is a bug, and needs its stack.
  if (!isGranaryError(error)) throw error;
  const { say } = await import("./command/say.ts");
  await say(context.stderr, `granary: ${error.message}\n`);
  return exitCodeOfError(error.code);
}

async function dispatch(argv: readonly string[], context: CommandContext): Promise<number> {
  const [name, ...args] = argv;
  if (name === undefined) {
    return context.isTerminal("stdin") ? openConsole(context) : runCommand("run", ["-"], context);
  }
  if (name === "--version" || name === "-V" || name === "-v") return showVersion(context);
  if (name === "help" || name === "--help" || name === "-h") {
    return args[0] === undefined ? showHelp(context) : runCommand(args[0], ["--help"], context);
  }
  return runCommand(name, args, context);
}

async function openConsole(context: CommandContext): Promise<number> {
  const { isFirstRun } = await import("./first-steps/first-run.ts");
  if (isFirstRun(context)) {
    const { greet } = await import("./first-steps/greeting.ts");
    if (!(await greet(context))) return exitCodes.failed;
  }
  return runCommand("console", [], context);
}

/** Other names for the same command. */
const aliases: Readonly<Record<string, string>> = { ps: "sessions" };

async function runCommand(name: string, args: readonly string[], context: CommandContext): Promise<number> {
  const known = aliases[name] ?? name;
  const command = Object.hasOwn(commandTable, known) ? commandTable[known] : undefined;
  if (command === undefined) {
    const { explainUnknownCommand, isFileToRun } = await import("./command/unknown-command.ts");
    if (await isFileToRun(name, context.cwd)) return runCommand("run", [name, ...args], context);
    throw await explainUnknownCommand(name, Object.keys(commandTable));
  }
  const { main } = await command.load();
  try {
    return await main(args, context);
  } catch (error) {
    // A program that asks for a document gets one, also for an error.
    if (isGranaryError(error) && args.includes("--json") && documented.includes(known)) {
      const { code, message } = error;
      context.stdout.write(`${JSON.stringify({ status: "failed", error: { code, message } })}\n`);
    }
    throw error;
  }
}

/** Others, such as `run`, whose arguments may be those of a script, print their own. */
const documented: readonly string[] = ["sessions", "look", "wait", "hub", "page", "gateway"];

function showHelp({ stdout }: CommandContext): number {
  const list = Object.entries(commandTable).map(([name, { summary }]) => `  granary ${name.padEnd(11)} ${summary}`);
  stdout.write(`Granary runs Python for coding agents.

Commands:
${list.join("\n")}

Examples:
  granary run -c 'print(6*7)'              prints 42
  granary run -c 'x = 6' -c 'x * 7'        two cells that share their variables
  granary analysis.py --year 2026          a script with its arguments
  granary run --timeout 60 analysis.py     the same, with a minute to finish
  granary report.ipynb                     runs a notebook and saves its outputs
  echo 'print(1)' | granary                reads the code from standard input
  granary init                             gives it to the agents found here

  granary COMMAND --help                   more about a command
  granary --version
`);
  return exitCodes.ok;
}

async function showVersion({ stdout }: CommandContext): Promise<number> {
  const { ownVersion } = await import("../../support/files/own-version.ts");
  stdout.write(`${await ownVersion()}\n`);
  return exitCodes.ok;
}
