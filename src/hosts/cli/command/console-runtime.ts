import { conversationDefaults } from "../../../runtime/conversation-defaults.ts";
import { createRuntime, type Runtime } from "../../../runtime/runtime.ts";
import type { RunArguments } from "../run/run-arguments.ts";
import type { CommandContext } from "./command-context.ts";

/** Granary as the console uses it: pictures are shown, and somebody who thinks for an hour keeps their variables. */
export function openConsoleRuntime(
  { interpreter, backend, kernel, attach, extraEnv, cwd: chosen, reset, session }: RunArguments,
  cwd: string,
  { env, loadBackend }: CommandContext,
): Promise<Runtime> {
  return createRuntime({
    cwd,
    requireCwd: chosen !== undefined,
    env,
    extraEnv,
    loadBackend,
    attach,
    // A person scrolls, where a model pays for every line.
    defaults: { ...conversationDefaults, "output.budgetBytes": 51_200 },
    settings: { python: { interpreter, backend, kernel, kernelMode: "session" } },
    kernels: session === undefined ? undefined : reset ? "fresh" : "reuse",
    // The screen is drawn on: whatever is written besides would be in the way.
    stderr: { write: () => {} },
  });
}
