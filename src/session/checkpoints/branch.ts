import type { OnHostCall } from "../../kernel/host-call.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import type { KernelCheckpoint } from "../../kernel/runner/checkpoints/kernel-checkpoint.ts";
import { GranaryError } from "../../support/granary-error.ts";
import type { Timeline } from "./timeline.ts";

export const cannotBeCopied = "a Jupyter kernel cannot be copied";

/** Where the calls of a branch's code go: to the session that has its kernel, which may change. */
export class BranchCalls {
  #answer: OnHostCall;
  readonly answer: OnHostCall = (call) => this.#answer(call);

  constructor(answer: OnHostCall) {
    this.#answer = answer;
  }

  goTo(answer: OnHostCall): void {
    this.#answer = answer;
  }
}

/** A further kernel with the present variables of an idle one, which continues. */
export async function branchKernel(
  kernel: Kernel,
  timeline: Timeline | null,
  onHostCall: OnHostCall,
  signal: AbortSignal,
): Promise<Kernel> {
  await timeline?.takeNow(kernel);
  const present = (await timeline?.present()) ?? null;
  const copy = present ?? (await takeAside(kernel));
  try {
    return await copy.restore({ isAlone: false, signal, onHostCall });
  } finally {
    if (copy !== present) copy.drop();
  }
}

async function takeAside(kernel: Kernel): Promise<KernelCheckpoint> {
  const answer = (await kernel.checkpoints?.take()) ?? { whyNot: cannotBeCopied };
  if (!("whyNot" in answer)) return answer;
  throw new GranaryError("no-checkpoint", `The kernel cannot be copied now: ${answer.whyNot}.`);
}
