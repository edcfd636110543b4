import { KernelError } from "../errors.ts";
import type { VariableLimits, VariableListing } from "../variables.ts";
import type { ControlFrame, ControlRequest } from "./wire/frames.ts";

export type VariablesQuestion = Omit<Extract<ControlRequest, { op: "variables" }>, "id">;

/** Asks on the control channel, where Python answers beside a running cell, unless nothing else may run beside it. */
export async function listVariables(
  ask: (question: VariablesQuestion, deadline: AbortSignal) => Promise<unknown>,
  { maxVariables = 100, maxValueCharacters = 200, timeoutMs = 2000 }: VariableLimits = {},
  signal?: AbortSignal,
): Promise<VariableListing> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(notAnswered(timeoutMs)), timeoutMs);
  const deadline = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
  const question = { op: "variables", most: maxVariables, longest: maxValueCharacters } as const;
  try {
    return listingIn((await ask(question, deadline)) as Answer);
  } finally {
    clearTimeout(timer);
  }
}

type Answer = Extract<ControlFrame, { t: "variables" }>;

function listingIn(answer: Answer): VariableListing {
  if ("problem" in answer) {
    const remedy = "A cell has probably changed something that Python itself needs; a fresh kernel will answer.";
    throw new KernelError("not-answered", `Python could not list its variables: ${answer.problem}. ${remedy}`);
  }
  return { variables: answer.variables, total: answer.total };
}

function notAnswered(timeoutMs: number): KernelError {
  const why = "Most likely C code in the running cell holds its lock, and nothing can run beside it.";
  const remedy = "Ask again when the cell has ended, or interrupt it.";
  return new KernelError("not-answered", `Python has not answered within ${timeoutMs / 1000} s. ${why} ${remedy}`);
}
