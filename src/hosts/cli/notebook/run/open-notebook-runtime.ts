import { conversationDefaults } from "../../../../runtime/conversation-defaults.ts";
import { createRuntime, type Runtime } from "../../../../runtime/runtime.ts";
import type { CommandContext } from "../../command/command-context.ts";
import { usualOptions } from "../../command/open-runtime.ts";
import { type KernelArguments, kernelFolder } from "./notebook-run-arguments.ts";
import { besideProgress } from "./progress.ts";

/**
 * A runtime for one notebook: its kernel runs in the notebook's folder, unless another one is given.
 * `onScreen`: a view shows the notebook. The kernel stays while idle, and nothing else writes to the terminal.
 * `kernels`: the next command may reuse the kernel, where there is a gateway to keep it.
 */
export async function openNotebookRuntime(
  args: KernelArguments,
  context: CommandContext,
  { onScreen = false, kernels }: { readonly onScreen?: boolean; readonly kernels?: "reuse" | undefined } = {},
): Promise<Runtime> {
  const { env, loadBackend } = context;
  const stderr = onScreen ? { write: () => {} } : besideProgress(context);
  const cwd = kernelFolder(args, context);
  const { interpreter, backend, sandbox } = args;
  return createRuntime({
    ...usualOptions({ cwd, isChosen: args.cwd !== undefined }, { env, stderr, loadBackend }),
    // Notebooks are often in a folder below the project's, where users type commands.
    top: context.cwd,
    startsOneKernel: true,
    endsWithItsCells: !onScreen,
    kernels,
    defaults: onScreen ? conversationDefaults : undefined,
    trust: args.trust,
    settings: { python: { kernelMode: "session", backend, sandbox, interpreter } },
  });
}
