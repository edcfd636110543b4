import { deepestJson, isTooDeep } from "../support/json/deep-json.ts";
import { HostCallError, type KernelCall, type OnHostCall } from "./host-call.ts";

/** The answer to a call of Python code as JSON for the wire, whatever happens; null when nobody waits for it any more. */
export async function answerCall(onHostCall: OnHostCall | undefined, call: KernelCall): Promise<string | null> {
  const reply = await replyTo(onHostCall, call);
  return call.signal.aborted ? null : reply;
}

async function replyTo(onHostCall: OnHostCall | undefined, call: KernelCall): Promise<string> {
  try {
    if (onHostCall === undefined) throw new HostCallError("no-tools", nobodyServes);
    return shallowJson(await onHostCall(call));
  } catch (error) {
    return problem(error);
  }
}

export const nobodyServes = "Nobody serves tools to this session.";

function problem(error: unknown): string {
  const { code = "failed", structured } = error instanceof HostCallError ? error : {};
  const message = error instanceof Error ? error.message : String(error);
  try {
    return shallowJson({ error: { code, message, structured } });
  } catch {
    return JSON.stringify({ error: { code, message } });
  }
}

/** Python's reader recurses, and would never come to tell whoever waits. */
function shallowJson(reply: object): string {
  if (!isTooDeep(reply)) return JSON.stringify(reply);
  throw new HostCallError("too-deep", `The answer is nested more than ${deepestJson} levels deep. Send it as a text.`);
}
