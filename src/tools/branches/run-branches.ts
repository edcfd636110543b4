import { GranaryError, isGranaryError } from "../../support/granary-error.ts";
import { type CodePlan, runCode } from "../code/run-code.ts";
import { refuseBusy } from "../context/refuse-busy.ts";
import type { CodeDetails } from "../definition/details.ts";
import type { ToolCall, ToolContent, ToolResult } from "../definition/tool.ts";
import { OpenBranches } from "./open-branches.ts";

/** Cells to run in a copy of the session's variables. */
export interface PlannedBranch {
  readonly title: string;
  readonly cells: readonly (string | { readonly code: string })[];
}

/** Runs all branches at the same time, and puts their results side by side. */
export async function runBranches(
  plan: CodePlan,
  branches: readonly PlannedBranch[],
  keep: string | undefined,
  call: ToolCall<CodeDetails>,
): Promise<ToolResult<CodeDetails>> {
  const { context, session } = plan;
  requireTitles(branches, keep);
  if (!plan.queue) refuseBusy(context, session);
  const open = OpenBranches.of(context);
  await open.end(session);
  const results = await Promise.all(
    branches.map(async ({ title, cells }): Promise<BranchResult> => {
      const branch = await open.open(session, title);
      const planned = cells.map((cell) => ({
        code: typeof cell === "string" ? cell : cell.code,
        title,
        language: "python",
      }));
      const own: CodePlan = { ...plan, session: branch, cells: planned, notices: [] };
      return { title, result: await runCode(own, { signal: call.signal, answer: call.answer }) };
    }),
  ).catch(async (error) => {
    await open.end(session);
    throw error;
  });
  const notice = await decide(open, plan, results, keep);
  return sideBySide(plan, results, notice);
}

interface BranchResult {
  readonly title: string;
  readonly result: ToolResult<CodeDetails>;
}

function requireTitles(branches: readonly PlannedBranch[], keep: string | undefined): void {
  const titles = branches.map(({ title }) => title);
  if (new Set(titles).size < titles.length) throw new GranaryError("input", "Each branch needs a title of its own.");
  if (keep !== undefined && !titles.includes(keep)) {
    throw new GranaryError("input", `keep names ${keep}, which is no branch of this call: ${titles.join(", ")}.`);
  }
}

async function decide(
  open: OpenBranches,
  { session }: CodePlan,
  results: readonly BranchResult[],
  keep: string | undefined,
): Promise<string> {
  if (keep === undefined)
    return `Session ${session.id} is as before. To continue as a branch: {"keep": "${results[0]?.title}"}`;
  const kept = results.find(({ title }) => title === keep);
  if (kept?.result.isError) return `Session ${session.id} is as before: branch ${keep} failed, so it was not kept.`;
  try {
    await open.keep(session, keep);
  } catch (error) {
    // The results of the branches are there.
    if (!isGranaryError(error, "no-checkpoint")) throw error;
    return `Branch ${keep} was not kept. ${error.message}`;
  }
  return `Session ${session.id} continues as branch ${keep}.`;
}

function sideBySide(
  { session, cwd, notices }: CodePlan,
  results: readonly BranchResult[],
  notice: string,
): ToolResult<CodeDetails> {
  const content = results.flatMap(({ title, result }): readonly ToolContent[] => {
    const [first, ...rest] = result.content;
    const head = `[branch ${title}]`;
    return first?.type === "text"
      ? [{ type: "text", text: `${head}\n${first.text}` }, ...rest]
      : [{ type: "text", text: head }, ...result.content];
  });
  const failed = results.findIndex(({ result }) => result.isError);
  const told = [...notices, notice].map((sentence) => `Note: ${sentence}`).join("\n");
  return {
    content: [...content, { type: "text", text: told }],
    // A branch that fails is an answer: the others show which way works.
    isError: results.every(({ result }) => result.isError),
    details: {
      session: session.id,
      cwd,
      cells: results.flatMap(({ result }) => result.details?.cells ?? []),
      failed: null,
      message: failed === -1 ? null : `Branch ${results[failed]?.title} failed.`,
      ledger: null,
      background: false,
    },
    structured: {
      status: failed === -1 ? "ok" : "error",
      session: session.id,
      cells: results.flatMap(({ result }) => (result.structured.cells as readonly unknown[]) ?? []),
    },
  };
}

/** The session continues as a branch of an earlier call. */
export async function keepBranch({ context, session, cwd }: CodePlan, title: string): Promise<ToolResult<CodeDetails>> {
  await OpenBranches.of(context).keep(session, title);
  return {
    content: [{ type: "text", text: `Session ${session.id} continues as branch ${title}.` }],
    isError: false,
    details: { session: session.id, cwd, cells: [], failed: null, message: null, ledger: null, background: false },
    structured: { status: "ok", session: session.id, cells: [] },
  };
}
