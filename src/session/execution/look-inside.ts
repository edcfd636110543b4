import type { Kernel } from "../../kernel/kernel.ts";
import type { CellStack } from "../../kernel/stack.ts";
import { processTree, type TreeProcess } from "../../support/process/process-tree.ts";

/** What is to be seen of work from outside, without disturbing it. */
export interface ExecutionLook {
  /** Null where there is none, or nobody can tell. */
  readonly stack: CellStack | null;
  /** A sentence about a stack that is not known. */
  readonly whyNoStack: string | null;
  /** The process that does the work comes first; null where it cannot be seen. */
  readonly processes: readonly TreeProcess[] | null;
}

/** What is to be seen of the cell that a kernel runs. */
export async function lookInside(kernel: Kernel | null, signal?: AbortSignal): Promise<ExecutionLook> {
  if (kernel === null) return { stack: null, whyNoStack: "There is no kernel yet.", processes: null };
  const { pid, backend } = kernel.info;
  const [told, processes] = await Promise.all([stackOf(kernel, signal), pid === null ? null : processTree(pid)]);
  const whyElsewhere = processes === null ? " Its process cannot be seen from here." : "";
  if (told === null) {
    const whyNoStack = `A Jupyter kernel (${backend}) cannot tell its stack while a cell runs.${whyElsewhere}`;
    return { stack: null, whyNoStack, processes };
  }
  return { ...told, processes };
}

async function stackOf(kernel: Kernel, signal?: AbortSignal): Promise<Omit<ExecutionLook, "processes"> | null> {
  if (kernel.stack === undefined) return null;
  try {
    return { stack: await kernel.stack(signal), whyNoStack: null };
  } catch (error) {
    signal?.throwIfAborted();
    return { stack: null, whyNoStack: (error as Error).message };
  }
}
