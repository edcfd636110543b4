import type { CellStack, Kernel } from "../../kernel/kernel.ts";
import { processTree, type TreeProcess } from "../../support/process/process-tree.ts";

/** Stack and processes of running work. */
export interface ExecutionLook {
  /** Null if there is none, or if it is unknown. */
  readonly stack: CellStack | null;
  /** Why the stack is unknown: a sentence. */
  readonly whyNoStack: string | null;
  /** The process that does the work comes first; null if it is on another machine. */
  readonly processes: readonly TreeProcess[] | null;
  /** How many sleeping copies, for undo, there are beside them. */
  readonly copies?: number;
}

/** Looks at the cell that a kernel runs. */
export async function lookInside(kernel: Kernel | null, signal?: AbortSignal): Promise<ExecutionLook> {
  if (kernel === null) return { stack: null, whyNoStack: "There is no kernel yet.", processes: null };
  const { pid, backend } = kernel.info;
  const [told, tree] = await Promise.all([stackOf(kernel, signal), pid === null ? null : processTree(pid)]);
  const sleeping = kernel.checkpoints?.pids() ?? null;
  const processes = tree?.filter((process) => !sleeping?.has(process.pid)) ?? null;
  const copies = (tree?.length ?? 0) - (processes?.length ?? 0);
  const whyElsewhere = processes === null ? " Its process cannot be seen from here." : "";
  if (told === null) {
    const whyNoStack = `A Jupyter kernel (${backend}) cannot report its stack while a cell runs.${whyElsewhere}`;
    return { stack: null, whyNoStack, processes, copies };
  }
  return { ...told, processes, copies };
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
