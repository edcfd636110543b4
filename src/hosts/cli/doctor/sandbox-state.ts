import { writablePlaces } from "../../../runtime/sandbox/writable-places.ts";
import { chooseEngine, type EngineName } from "../../../sandbox/engine.ts";
import { granaryHome } from "../../../settings/granary-home.ts";
import type { LoadedSettings } from "../../../settings/load-settings.ts";
import type { CommandContext } from "../command/command-context.ts";

/** The sandbox that sessions have, and the engine that one would use here. */
export interface SandboxState {
  readonly mode: "off" | "workspace" | "strict";
  /** Null where there is none; `problem` has the reason. */
  readonly engine: EngineName | null;
  readonly problem: string | null;
  readonly remedy: string | null;
}

export async function sandboxState(settings: LoadedSettings, { cwd, env }: CommandContext): Promise<SandboxState> {
  const { sandbox, sandboxEngine } = settings.values.python;
  const engine = await chooseEngine({
    mode: sandbox === "off" ? "workspace" : sandbox,
    engine: sandboxEngine,
    cwd,
    write: writablePlaces({ cwd, env, home: granaryHome(env), settings }),
    env,
  });
  if (engine.name !== null) return { mode: sandbox, engine: engine.name, problem: null, remedy: null };
  return { mode: sandbox, engine: null, problem: engine.reason, remedy: engine.remedy };
}

export function saySandboxState({ mode, engine, problem }: SandboxState): string {
  if (engine === null) return `${mode}; none works here. ${problem}`;
  const name = names[engine];
  return mode === "off" ? `off; --sandbox would use ${name}` : `${mode}, with ${name}`;
}

const names = {
  bwrap: "bubblewrap",
  landlock: "Landlock with seccomp",
  "sandbox-exec":
    "sandbox-exec (written for macOS, never run by its authors: it tries its limits at every start, and starts nothing if one does not hold)",
} satisfies Record<EngineName, string>;
