import { conversationDefaults } from "../../../runtime/conversation-defaults.ts";
import { createRuntime, type Runtime } from "../../../runtime/runtime.ts";
import type { SharedSessions } from "../../../runtime/shared-sessions.ts";
import type { RunArguments } from "../run/run-arguments.ts";
import type { CommandContext } from "./command-context.ts";

/** The runtime of the console: it draws pictures, and keeps variables while the user thinks for an hour. */
export function openConsoleRuntime(
  { interpreter, backend, kernel, attach, extraEnv, cwd: chosen, reset, session, trust, sandbox }: RunArguments,
  cwd: string,
  { env, loadBackend }: Pick<CommandContext, "env" | "loadBackend">,
  sessions?: SharedSessions,
): Promise<Runtime> {
  return createRuntime({
    cwd,
    requireCwd: chosen !== undefined,
    env,
    extraEnv,
    trust,
    loadBackend,
    attach,
    // A person scrolls, where a model pays for every line.
    defaults: { ...conversationDefaults, "output.budgetBytes": 51_200 },
    settings: { python: { interpreter, backend, kernel, sandbox, kernelMode: "session" } },
    sessions,
    // The hub itself keeps kernels.
    kernels: session === undefined || sessions !== undefined ? undefined : reset ? "fresh" : "reuse",
    // The console draws on the screen; any other write would damage the picture.
    stderr: { write: () => {} },
  });
}
