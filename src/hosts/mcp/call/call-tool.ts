import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { visibleText } from "../../../output/text/visible-text.ts";
import { closest } from "../../../support/closest.ts";
import type { Tool, ToolResult } from "../../../tools/definition/tool.ts";
import type { AgentContext } from "../agent-context.ts";
import { askBeside, askWithResult, takeAnswer } from "./ask-person.ts";
import { CallProgress } from "./call-progress.ts";
import { fitResult } from "./fit-result.ts";
import { OngoingCall } from "./ongoing-call.ts";
import { toCallToolResult } from "./to-call-tool-result.ts";

/** A request as a handler gets it. */
export interface CallContext {
  readonly agent: AgentContext;
  readonly context: ServerContext;
  /** A question ends the request in the newer revision; in the older, the server asks during the request. */
  readonly era: "legacy" | "modern";
  readonly canAsk: boolean;
}

/** `tools/call`: runs the tool, reports progress, and stops the tool when the client cancels. */
export async function callTool(
  { params }: CallToolRequest,
  { agent, context, era, canAsk }: CallContext,
): Promise<CallToolResult | InputRequiredResult> {
  const tool = agent.tools.find(({ name }) => name === params.name);
  if (tool === undefined) throw unknownTool(params.name, agent);
  const call = resumedCall(agent, context) ?? new OngoingCall(tool, params.arguments ?? {}, { canAsk });
  using _ = follow(call, context);
  let news = await call.news();
  while (news.type === "question") {
    if (era === "modern") return askWithResult(news.question, agent.waiting.park(call, news.question));
    await askBeside(news.question, context);
    news = await call.news();
  }
  return finished(news.result, call, tool, { agent, context });
}

async function finished(
  result: ToolResult,
  { refusals }: OngoingCall,
  tool: Tool,
  { agent, context }: Pick<CallContext, "agent" | "context">,
): Promise<CallToolResult> {
  await logChanges(result.details, context);
  const notes = refusals.map((text) => ({ type: "text", text: visibleText(text) }) as const);
  const fitted = await fitResult({ ...result, content: [...result.content, ...notes] }, agent);
  return toCallToolResult({ ...result, ...fitted }, tool);
}

/** During a request, its client gets the call's progress and may cancel the call. */
function follow(call: OngoingCall, { mcpReq }: ServerContext): Disposable {
  const cancel = (): void => call.cancel();
  if (mcpReq.signal.aborted) cancel();
  mcpReq.signal.addEventListener("abort", cancel, { once: true });
  const progressToken = mcpReq._meta?.progressToken;
  const progress =
    progressToken === undefined
      ? null
      : new CallProgress((note) => {
          const params = { progressToken, ...note };
          // Other code notices that a client has gone.
          mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
        });
  const stopUpdates = call.onUpdate(({ text, bars }) => progress?.update(text, bars));
  return {
    [Symbol.dispose]() {
      mcpReq.signal.removeEventListener("abort", cancel);
      stopUpdates();
      progress?.[Symbol.dispose]();
    },
  };
}

/** The call that a request answers; null when the request begins a call. */
function resumedCall({ waiting }: AgentContext, { mcpReq }: ServerContext): OngoingCall | null {
  const ticket = mcpReq.requestState<string>();
  if (ticket === undefined) return null;
  const found = waiting.take(ticket);
  if (found === undefined) {
    const message = "No call waits for this answer: the call has ended, or was answered already. Call the tool again.";
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }
  takeAnswer(found.question, mcpReq.inputResponses);
  return found.call;
}

/** The result reports lost variables; the log repeats it for the server's operator. */
async function logChanges(details: object | null, { mcpReq }: ServerContext): Promise<void> {
  if (details === null || !("ledger" in details)) return;
  const reason = (details.ledger as { readonly reason?: string | null } | null)?.reason;
  if (reason) await mcpReq.log("warning", visibleText(reason), "granary").catch(() => undefined);
}

function unknownTool(name: string, { tools }: AgentContext): ProtocolError {
  const names = tools.map((tool) => tool.name);
  const meant = closest(name, names);
  const hint = meant === null ? `There are: ${names.join(", ")}.` : `Did you mean ${meant}?`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, visibleText(`There is no tool ${name}. ${hint}`));
}
