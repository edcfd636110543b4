import { z } from "zod";
import type { Variable, VariableListing } from "../kernel/variables.ts";
import type { SharedSession } from "../session/shared-session.ts";
import { sayCount } from "../support/say-count.ts";
import { findSession } from "./context/find-session.ts";
import { sayCheckpoints } from "./context/say-checkpoints.ts";
import { sessionInput } from "./context/session-input.ts";
import type { ToolContext } from "./context/tool-context.ts";
import { defineTool } from "./definition/define-tool.ts";
import type { Tool } from "./definition/tool.ts";

export interface VariablesDetails {
  readonly session: string;
  readonly listing: VariableListing;
}

/** The variables of a session, described without running any code. */
export function createVariablesTool(context: ToolContext): Tool<VariablesDetails> {
  return defineTool({
    name: "variables",
    title: "Variables",
    description: 'Lists the variables of the kernel: name, type, shape, value. Works while a cell runs. {"limit": 20}',
    input: z.strictObject({
      limit: z.number().positive().optional(),
      session: sessionInput.optional(),
      cwd: z.string().optional(),
    }),
    output: z.object({ total: z.number() }),
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    async run({ limit, session: name = context.session, cwd }, { signal }) {
      const session = findSession(context, name, cwd);
      const maxVariables = limit === undefined ? undefined : Math.ceil(limit);
      const listing = (await session?.variables({ maxVariables }, signal)) ?? none;
      const states = sayCheckpoints(session?.checkpoints() ?? []);
      const text = whyNone(session, name) ?? variablesText(listing);
      return {
        content: [{ type: "text", text: states === null ? text : `${text}\n(${states})` }],
        isError: false,
        details: { session: name, listing },
        structured: { total: listing.total },
      };
    },
  });
}

const none: VariableListing = { variables: [], total: 0 };

function whyNone(session: SharedSession | null, name: string): string | null {
  const kernel = session?.kernel ?? null;
  if (kernel === null) return `(no variables: no kernel runs in session ${name})`;
  return kernel.variables === undefined ? "(this kernel cannot list its variables)" : null;
}

function variablesText({ variables, total }: VariableListing): string {
  if (total === 0) return "(no variables)";
  const more = total - variables.length;
  return [...variables.map(line), ...(more > 0 ? [`… ${sayCount(more, "more variable")}`] : [])].join("\n");
}

/** `df: DataFrame 1000x5 = …` */
function line({ name, type, shape, length, value }: Variable): string {
  const size = shape !== null ? ` ${shape.join("x")}` : length === null ? "" : ` len ${length}`;
  return `${name}: ${type}${size} = ${value}`;
}
