import { KernelError } from "../errors.ts";
import type { CellStack } from "../kernel.ts";
import type { ControlFrame, ControlRequest } from "./wire/frames.ts";
import type { NotedStack } from "./wire/open-streams.ts";

export type StackQuestion = Omit<Extract<ControlRequest, { op: "stack" }>, "id">;

/** C code may hold the interpreter lock for minutes; a look should not take that long. */
const timeoutMs = 1000;

/**
 * Asks on the control channel, where Python answers beside a running cell. Without an answer, the journal has the last
 * stack that Python noted.
 */
export async function askStack(
  ask: (question: StackQuestion, deadline: AbortSignal) => Promise<unknown>,
  lastNoted: () => NotedStack | null,
  signal?: AbortSignal,
): Promise<CellStack> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new KernelError("not-answered", "Python has not answered.")), timeoutMs);
  const deadline = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
  try {
    const answer = (await ask({ op: "stack" }, deadline)) as Answer;
    if ("problem" in answer)
      throw new KernelError("not-answered", `Python could not report its stack: ${answer.problem}.`);
    return { frames: answer.frames, threads: answer.threads, lastKnownAt: null };
  } catch (error) {
    if (!late.signal.aborted) throw error;
    return noted(lastNoted());
  } finally {
    clearTimeout(timer);
  }
}

type Answer = Extract<ControlFrame, { t: "stack" }>;

function noted(stack: NotedStack | null): CellStack {
  const frames = (stack?.frames ?? []).map(([file, line, name]) => ({ file, line, function: name, source: null }));
  return { frames, threads: [], lastKnownAt: stack === null ? Date.now() : stack.at * 1000 };
}
