import { dirname, resolve } from "node:path";
import type { NotebookParameters } from "../../../../execute/notebook/parameters/parameters.ts";
import type { CellAddress } from "../../../../notebook/edit/address.ts";
import { parseAddress } from "../../../../notebook/edit/cell-addresses.ts";
import type { CommandContext } from "../../command/command-context.ts";
import { parseArguments } from "../../command/parse-arguments.ts";
import { UsageError } from "../../command/usage-error.ts";
import { parseBackend, parseSandbox, parseTimeout, type RunArguments } from "../../run/run-arguments.ts";
import { typedCells } from "../edit/typed-cells.ts";
import { inFolder, refuseScript, requireFile, standardStream } from "../one-file.ts";
import { parameterSetOptions, readParameters, takePairs } from "../parameters/read-parameters.ts";

/** Which kernel, for every command that runs a notebook. */
export interface KernelArguments {
  readonly file: string;
  readonly cwd: string | undefined;
  readonly interpreter: string | undefined;
  readonly backend: RunArguments["backend"];
  readonly trust: RunArguments["trust"];
  readonly sandbox: RunArguments["sandbox"];
  /** Infinity when there is none. */
  readonly timeoutMs: number;
  readonly json: boolean;
}

export interface NotebookRunArguments extends KernelArguments {
  /** All of them, `file` first. */
  readonly files: readonly string[];
  /** How many notebooks at the same time; undefined for as many as there are cores. */
  readonly jobs: number | undefined;
  readonly cells: readonly CellAddress[] | undefined;
  readonly from: CellAddress | undefined;
  readonly resume: boolean;
  readonly session: string | undefined;
  readonly allowErrors: boolean;
  readonly parameters: NotebookParameters | undefined;
  /** Only list the parameters that the notebook has. */
  readonly listsParameters: boolean;
  readonly out: string | undefined;
  readonly recordTimes: boolean;
}

export const kernelOptions = {
  cwd: { type: "string" },
  python: { type: "string" },
  backend: { type: "string" },
  trust: { type: "boolean" },
  sandbox: { type: "boolean" },
  timeout: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

const runOptions = {
  ...kernelOptions,
  cells: { type: "string", multiple: true },
  from: { type: "string" },
  resume: { type: "boolean" },
  fresh: { type: "boolean" },
  session: { type: "string" },
  "allow-errors": { type: "boolean" },
  ...parameterSetOptions,
  "help-notebook": { type: "boolean" },
  out: { type: "string", short: "o" },
  jobs: { type: "string", short: "j" },
  "no-times": { type: "boolean" },
} as const;

type KernelValues = ReturnType<typeof parseArguments<typeof kernelOptions>>["values"];

export async function parseNotebookRunArguments(
  args: readonly string[],
  context: CommandContext,
): Promise<NotebookRunArguments | "help"> {
  const { rest, pairs } = takePairs(args, runOptions);
  const { values, positionals } = parseArguments(rest, runOptions);
  if (values.help) return "help";
  if (values.fresh && values.session !== undefined) throw new UsageError("Give one of --fresh and --session.");
  if (values.fresh && values.resume)
    throw new UsageError("--resume continues in the kernel of the last run: leave out --fresh.");
  if (values.resume && values.session === undefined)
    throw new UsageError("--resume continues in a session: name the one of the last run with --session NAME.");
  const files = requireFile(positionals, "run");
  for (const file of files) refuseScript(file);
  if (files.length > 1) refuseForSeveral(values, files);
  const kernel = kernelArguments(values, files[0]);
  const code = { folder: kernelFolder(kernel, context), top: context.cwd, sandbox: kernel.sandbox };
  return {
    ...kernel,
    files,
    jobs: parseJobs(values.jobs),
    cells: typedCells(values.cells),
    from: values.from === undefined ? undefined : parseAddress(values.from),
    resume: values.resume ?? false,
    session: values.session,
    allowErrors: values["allow-errors"] ?? false,
    parameters: await readParameters(values, pairs, context, code),
    listsParameters: values["help-notebook"] ?? false,
    out: values.out,
    recordTimes: !values["no-times"],
  };
}

/** Whether the file after these options is a notebook. The notebook's command reports wrong options. */
export function namesNotebook(args: readonly string[]): boolean {
  try {
    const [file = ""] = parseArguments(takePairs(args, runOptions).rest, runOptions).positionals;
    return file.toLowerCase().endsWith(".ipynb");
  } catch {
    return true;
  }
}

/** Refuses options for one notebook, or one kernel, when there are several. */
function refuseForSeveral(values: Readonly<Record<string, unknown>>, files: readonly string[]): void {
  if (files.includes(standardStream) || values.out === standardStream) {
    throw new UsageError("Standard input and output (-) are for one notebook: granary notebook run - --out -");
  }
  const given = ["cells", "from", "resume", "session", "help-notebook"].find((name) => values[name] !== undefined);
  if (given !== undefined) throw new UsageError(`--${given} is for one notebook: run it on its own.`);
}

function parseJobs(typed: string | undefined): number | undefined {
  if (typed === undefined) return undefined;
  if (/^[1-9]\d{0,3}$/.test(typed)) return Number(typed);
  throw new UsageError(`--jobs takes a number of notebooks, as in --jobs 4; got ${JSON.stringify(typed)}.`);
}

/** The notebook's own folder, unless another one is given. */
export function kernelFolder({ file, cwd }: Pick<KernelArguments, "file" | "cwd">, context: CommandContext): string {
  return cwd === undefined ? dirname(inFolder(file, context)) : resolve(context.cwd, cwd);
}

export function kernelArguments(values: KernelValues, file: string): KernelArguments {
  return {
    file,
    cwd: values.cwd,
    interpreter: values.python,
    backend: parseBackend(values.backend),
    trust: values.trust || undefined,
    sandbox: parseSandbox(values.sandbox),
    timeoutMs: parseTimeout(values.timeout),
    json: values.json ?? false,
  };
}
