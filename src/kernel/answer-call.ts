import { GranaryError, isGranaryError } from "../support/granary-error.ts";
import { deepestJson, isTooDeep } from "../support/json/deep-json.ts";
import type { HostCallError, HostCallErrorDetails, KernelCall, OnHostCall } from "./host-call.ts";

/** The answer to a call of Python code as JSON for the wire, whatever happens; null when nobody waits for it any more. */
export async function answerCall(onHostCall: OnHostCall | undefined, call: KernelCall): Promise<string | null> {
  const reply = await replyTo(onHostCall, call);
  return call.signal.aborted ? null : reply;
}

async function replyTo(onHostCall: OnHostCall | undefined, call: KernelCall): Promise<string> {
  try {
    if (onHostCall === undefined) throw new GranaryError("no-tools", nobodyServes);
    return shallowJson(checkedAnswer(await onHostCall(call), call.name));
  } catch (error) {
    return problem(error);
  }
}

/** A host without the help of types may return anything, and Python waits for its answer. */
function checkedAnswer(answer: unknown, name: string): object {
  const { text, value } = (answer ?? {}) as Record<string, unknown>;
  if (typeof text === "string") return answer as object;
  if (value !== undefined && JSON.stringify(value) !== undefined) return answer as object;
  throw new GranaryError("tool-failed", `The tool ${name} returned neither { text } nor { value }.`, {
    details: { code: "failed" },
  });
}

export const nobodyServes = "The host serves no tools to this session.";

function problem(error: unknown): string {
  const { code, structured } = toldToPython(error);
  const message = error instanceof Error ? error.message : String(error);
  try {
    return shallowJson({ error: { code, message, structured } });
  } catch {
    return JSON.stringify({ error: { code, message } });
  }
}

/** A tool of the host's chooses its own code; other errors of ours have theirs. */
function toldToPython(error: unknown): Pick<HostCallErrorDetails, "code" | "structured"> {
  if (isGranaryError(error, "tool-failed")) return (error as HostCallError).details;
  return { code: isGranaryError(error) ? error.code : "failed" };
}

/** Python's reader recurses, and would never come to tell whoever waits. */
function shallowJson(reply: object): string {
  if (!isTooDeep(reply)) return JSON.stringify(reply);
  throw new GranaryError("too-deep", `The answer is nested more than ${deepestJson} levels deep. Send it as a text.`);
}
