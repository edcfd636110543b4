import { writablePlaces } from "../../../runtime/sandbox/writable-places.ts";
import { chooseEngine, type EngineName } from "../../../sandbox/engine.ts";
import { sayNoCaches, useOtherHome } from "../../../sandbox/sandbox.ts";
import { granaryHome } from "../../../settings/granary-home.ts";
import type { LoadedSettings } from "../../../settings/load-settings.ts";
import type { CommandContext } from "../command/command-context.ts";

/** The sandbox that sessions have, and the engine that one would use here. */
export interface SandboxState {
  readonly mode: "off" | "workspace" | "strict";
  /** Null where there is none; `problem` has the reason. */
  readonly engine: EngineName | null;
  /** The reason for that engine, to stand behind "because"; null where there is none. */
  readonly because: string | null;
  readonly problem: string | null;
  readonly remedy: string | null;
}

/** @param homeProblem why Granary's folder cannot be written; null if it can */
export async function sandboxState(
  settings: LoadedSettings,
  { cwd, env }: CommandContext,
  homeProblem: string | null,
): Promise<SandboxState> {
  const { sandbox, sandboxEngine } = settings.values.python;
  if (homeProblem !== null) {
    const problem = sayNoCaches(granaryHome(env), homeProblem);
    return { mode: sandbox, engine: null, because: null, problem, remedy: useOtherHome };
  }
  const engine = await chooseEngine({
    mode: sandbox === "off" ? "workspace" : sandbox,
    engine: sandboxEngine,
    cwd,
    write: writablePlaces({ cwd, env, home: granaryHome(env), settings }),
    env,
  });
  if (engine.name === null) {
    return { mode: sandbox, engine: null, because: null, problem: engine.reason, remedy: engine.remedy };
  }
  return { mode: sandbox, engine: engine.name, because: engine.because, problem: null, remedy: null };
}

export function saySandboxState({ mode, engine, because, problem }: SandboxState): string {
  if (engine === null) return `${mode}; none works here. ${problem}`;
  const which = `${names[engine]}, because ${because}. ${modes[engine]}`;
  return mode === "off" ? `off; --sandbox would use ${which}` : `${mode}, with ${which}`;
}

const modes = {
  bwrap: "It has both modes, workspace and strict.",
  landlock: "It has no strict mode: that needs bubblewrap (bwrap).",
  "sandbox-exec": "It has no strict mode: that needs bubblewrap, on Linux.",
} satisfies Record<EngineName, string>;

const names = {
  bwrap: "bubblewrap (bwrap)",
  landlock: "Landlock with seccomp",
  "sandbox-exec":
    "sandbox-exec (written for macOS, never run by its authors: it tries its limits at every start, and starts nothing if one does not hold)",
} satisfies Record<EngineName, string>;
