import type { Kernel } from "../../../../src/kernel/kernel.ts";
import type {
  CheckpointAnswer,
  KernelCheckpoint,
} from "../../../../src/kernel/runner/checkpoints/kernel-checkpoint.ts";
import { startRunner } from "../start-runner.ts";

/** A kernel that was made out of a checkpoint, and forks a copy before every cell. */
export async function startRestored(python: string, choices: Parameters<typeof startRunner>[1]): Promise<Kernel> {
  const first = await startRunner(python, choices);
  const checkpoint = await takeCheckpoint(first);
  await first.close();
  const kernel = await checkpoint.restore({ ...choices, isAlone: true, signal: AbortSignal.timeout(20_000) });
  checkpoint.drop();
  await kernel.checkpoints?.ready();
  return copyingItself(kernel);
}

export async function takeCheckpoint(kernel: Kernel): Promise<KernelCheckpoint> {
  const answer = await kernel.checkpoints?.take();
  if (answer === undefined || "whyNot" in answer) throw new Error(answer?.whyNot ?? "no checkpoints");
  return answer;
}

/** The newest copy lives until the next one comes, and with the kernel at the longest. */
function copyingItself(kernel: Kernel): Kernel {
  let newest: Promise<CheckpointAnswer> | undefined;
  const drop = (): void => void newest?.then((answer) => "drop" in answer && answer.drop());
  void kernel.exited.then(drop);
  const execute = kernel.execute.bind(kernel);
  kernel.execute = (code, options) =>
    execute(code, {
      ...options,
      onCheckpoint: (answer) => {
        drop();
        newest = answer;
      },
    });
  return kernel;
}
