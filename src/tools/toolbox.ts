import { checkNames } from "../runtime/options/check-options.ts";
import { preflight } from "../runtime/preflight.ts";
import { isGranaryError } from "../support/granary-error.ts";
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

export interface ToolboxOptions extends Omit<ToolContextOptions, "onSession" | "onSessionGone" | "functionNotices"> {
  /** Whether to offer `eval`; by default as `tools.eval` says. */
  readonly eval?: boolean | undefined;
  /** Aborts the check for a Python. */
  readonly signal?: AbortSignal | undefined;
}

const optionNames: Readonly<Record<keyof ToolboxOptions, true>> = {
  ...{ runtime: true, session: true, owner: true, label: true, cwd: true, roots: true, rootsNow: true },
  ...{ readOnly: true, resultBytes: true, ownArtifactsOnly: true, eval: true, signal: true },
};

/** The tools of one agent. */
export interface Toolbox extends AsyncDisposable {
  /** Includes the functions that cells have marked with `@tool`, so ask again after a change. */
  readonly tools: readonly Tool[];
  /** @internal */
  readonly context: ToolContext;
  find(name: string): Tool | undefined;
  /** Notices for the agent before its first call, such as why there is no Python. */
  readonly notices: readonly string[];
  /** Longer help on these tools, by name: Markdown that a host shows on request. */
  readonly help: ReadonlyMap<string, string>;
  /** Calls back when the list of tools has changed; returns a function that unsubscribes. */
  onToolsChanged(listener: () => void): () => void;
  /** Releases the sessions that were used. */
  close(): Promise<void>;
}

/**
 * The tools of one agent. It starts no kernel, but checks a Python that is not known yet.
 * Code in the sessions of these tools can call them.
 *
 * @example
 * const toolbox = await createToolbox({ runtime, session: "agent-1" });
 * const result = await toolbox.find("python")?.run({ cells: [{ code: "6 * 7" }] });
 */
export async function createToolbox(options: ToolboxOptions): Promise<Toolbox> {
  await checkNames("createToolbox", options, optionNames);
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
    onSessionGone: (session) => functions.unfollow(session),
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
    notices: [...mode.notices, ...(await sandboxNotice(context))],
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

/** The kinds of tools that an agent has: both, only Python, or only bash. */
interface ToolMode {
  readonly hasPython: boolean;
  readonly hasBash: boolean;
  /** Why Python is missing although it should be there. */
  readonly notices: readonly string[];
}

/** Follows `python.toolMode`. Without Python the agent has bash, and a notice with the reason. */
async function toolMode({ runtime, session, cwd }: ToolContext, signal?: AbortSignal): Promise<ToolMode> {
  const wish = runtime.settings.python.toolMode;
  if (wish === "bash-only") return onlyBash([]);
  const found = await preflight(await runtime.startContext(session, cwd), signal);
  if (found.available) return { hasPython: true, hasBash: wish === "both", notices: [] };
  const reason = `${found.reason} ${found.remedy}`.trim();
  return onlyBash([`Python is not available, so there are only the other tools. ${reason}`]);
}

/** So that an agent does not have to find out. */
async function sandboxNotice(context: ToolContext): Promise<readonly string[]> {
  const { runtime, readOnly } = context;
  const { sandbox: mode, sandboxNetwork: network, sandboxWrite } = runtime.settings.python;
  if (mode === "off" || readOnly) return [];
  const problem = refusalOf(context);
  if (problem !== null) return [problem];
  const { saySandbox } = await import("../runtime/sandbox/say-sandbox.ts");
  return [saySandbox({ mode, network, write: [runtime.cwd, ...sandboxWrite], shared: [], engine: null })];
}

/** Why nothing runs in this folder, and tools for files refuse every file. */
function refusalOf(context: ToolContext): string | null {
  try {
    void context.roots;
    return null;
  } catch (error) {
    if (isGranaryError(error, "sandbox")) return error.message;
    throw error;
  }
}

function onlyBash(notices: readonly string[]): ToolMode {
  return { hasPython: false, hasBash: true, notices };
}
