import { preflight } from "../runtime/preflight.ts";
import { createBashTool } from "./bash.ts";
import { createToolContext, type ToolContext, type ToolContextOptions } from "./context/tool-context.ts";
import { startingFolder } from "./context/working-folder.ts";
import type { Tool } from "./definition/tool.ts";
import { createEditTool } from "./edit.ts";
import { createEvalTool } from "./eval.ts";
import { createExecutionsTool } from "./executions.ts";
import { FunctionTools } from "./functions/function-tools.ts";
import { servedToPython } from "./functions/served-to-python.ts";
import { helpOn } from "./help/tool-help.ts";
import { createKernelsTool } from "./kernels.ts";
import { createNotebookTool } from "./notebook.ts";
import { createPythonTool } from "./python.ts";
import { createReadTool } from "./read.ts";
import { createVariablesTool } from "./variables.ts";
import { createWriteTool } from "./write.ts";

export interface ToolboxOptions extends Omit<ToolContextOptions, "onSession" | "functionNotices"> {
  /** Whether `eval` is offered, too; otherwise as `tools.eval` has it. */
  readonly eval?: boolean | undefined;
  /** Ends the check whether there is a Python. */
  readonly signal?: AbortSignal | undefined;
}

/** The tools of one agent. */
export interface Toolbox extends AsyncDisposable {
  /** With the functions that cells have marked with `@tool`, so ask again after a change. */
  readonly tools: readonly Tool[];
  /** @internal */
  readonly context: ToolContext;
  find(name: string): Tool | undefined;
  /** What the agent should know before its first call, such as why there is no Python. */
  readonly notices: readonly string[];
  /** Longer help on these tools, by name: Markdown that a host hands out to whoever asks. */
  readonly help: ReadonlyMap<string, string>;
  /** Calls back when there are other tools than before; the function it returns stops that. */
  onToolsChanged(listener: () => void): () => void;
  /** Leaves the sessions that were used. */
  close(): Promise<void>;
}

/**
 * The tools of one agent. Nothing is started by it, but a Python that is not known yet is
 * asked whether it is one. Code in the sessions of these tools can call them.
 *
 * @example
 * await using toolbox = await createToolbox({ runtime, session: "agent-1" });
 * const result = await toolbox.find("python")?.run({ cells: [{ code: "6 * 7" }] });
 */
export async function createToolbox(options: ToolboxOptions): Promise<Toolbox> {
  const { runtime } = options;
  const functions = new FunctionTools();
  const served = new Map<string, () => void>();
  let offered: readonly Tool[] = [];
  const toPython = servedToPython(() => offered);
  const offeredNames = (): ReadonlySet<string> => new Set(offered.map(({ name }) => name));
  const context = createToolContext({
    ...options,
    ...(await startingFolder(options)),
    functionNotices: () => functions.takeNotices(offeredNames()),
    onSession(session) {
      functions.follow(session);
      if (!served.has(session.id)) served.set(session.id, runtime.serveTools(toPython, { session: session.id }));
    },
  });
  const mode = await toolMode(context, options.signal);
  const all = createTools(context, mode, options.eval ?? runtime.settings.tools.eval);
  offered = context.readOnly ? all.filter(({ hints }) => hints.readOnly) : all;
  const names = offeredNames();
  const toolbox: Toolbox = {
    get tools() {
      return context.readOnly ? offered : [...offered, ...functions.list(context, names)];
    },
    context,
    notices: mode.notices,
    help: helpOn(names),
    find: (name) => toolbox.tools.find((tool) => tool.name === name),
    onToolsChanged: (listener) => functions.onChange(listener),
    async close() {
      functions.close();
      for (const takeBack of served.values()) takeBack();
      await context.close();
    },
    [Symbol.asyncDispose]: () => toolbox.close(),
  };
  return toolbox;
}

/** The table in `docs/tools.md`. */
function createTools(context: ToolContext, { hasPython, hasBash }: ToolMode, offersEval: boolean): readonly Tool[] {
  return [
    ...(hasPython ? [createPythonTool(context)] : []),
    ...(hasPython && offersEval ? [createEvalTool(context)] : []),
    ...(hasBash ? [createBashTool(context)] : []),
    createReadTool(context),
    createEditTool(context),
    createWriteTool(context),
    createNotebookTool(context, { runs: hasPython }),
    createExecutionsTool(context),
    ...(hasPython ? [createVariablesTool(context), createKernelsTool(context)] : []),
  ] as readonly Tool[];
}

/** Which kinds of tools an agent has: both, only Python, or only bash. */
interface ToolMode {
  readonly hasPython: boolean;
  readonly hasBash: boolean;
  /** Why there is no Python although there should be. */
  readonly notices: readonly string[];
}

/** As `python.toolMode` has it. Where Python cannot be had, commands can, and the agent is told why. */
async function toolMode({ runtime, session, cwd }: ToolContext, signal?: AbortSignal): Promise<ToolMode> {
  const wish = runtime.settings.python.toolMode;
  if (wish === "bash-only") return onlyBash([]);
  const found = await preflight(await runtime.startContext(session, cwd), signal);
  if (found.available) return { hasPython: true, hasBash: wish === "both", notices: [] };
  const reason = `${found.reason} ${found.remedy}`.trim();
  return onlyBash([`Python is not available, so there are only the other tools. ${reason}`]);
}

function onlyBash(notices: readonly string[]): ToolMode {
  return { hasPython: false, hasBash: true, notices };
}
