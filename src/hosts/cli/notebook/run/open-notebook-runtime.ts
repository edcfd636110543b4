import { stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { conversationDefaults } from "../../../../runtime/conversation-defaults.ts";
import { createRuntime, type Runtime } from "../../../../runtime/runtime.ts";
import type { CommandContext } from "../../command/command-context.ts";
import { usualOptions } from "../../command/open-runtime.ts";
import { inFolder } from "../one-file.ts";
import type { KernelArguments } from "./notebook-run-arguments.ts";
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
  const folder = dirname(inFolder(args.file, context));
  const cwd = args.cwd === undefined ? folder : resolve(context.cwd, args.cwd);
  const open = (interpreter: string | undefined) => {
    const python = { kernelMode: "session", backend: args.backend, sandbox: args.sandbox, interpreter } as const;
    const defaults = onScreen ? conversationDefaults : undefined;
    const workingFolder = { cwd, isChosen: args.cwd !== undefined };
    const usual = usualOptions(workingFolder, { env, stderr, loadBackend });
    return createRuntime({
      ...usual,
      startsOneKernel: true,
      endsWithItsCells: !onScreen,
      kernels,
      defaults,
      trust: args.trust,
      settings: { python },
    });
  };
  const runtime = await open(args.interpreter);
  const isChosen = runtime.settings.python.interpreter !== null || env.VIRTUAL_ENV;
  const ofProject = isChosen ? undefined : await projectPython(cwd, context.cwd);
  return ofProject === undefined ? runtime : open(ofProject);
}

/**
 * Notebooks are often in a folder below the project's, which has the environment and where users type commands:
 * finds the nearest environment on the way up to there.
 */
async function projectPython(folder: string, top: string): Promise<string | undefined> {
  const isBelow = !relative(top, folder).startsWith("..");
  for (let at = folder; isBelow; at = dirname(at)) {
    for (const name of [".venv", "venv"]) {
      const python = join(at, name, "bin", "python");
      // The usual search finds an environment in the working folder itself, with all its checks.
      if (await exists(python)) return at === folder ? undefined : python;
    }
    if (at === top) break;
  }
  return undefined;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
