import type { EngineName } from "../../sandbox/engine.ts";
import { sayPlaces } from "../../sandbox/git/say-places.ts";
import type { NetworkChoice, SandboxMode } from "../../sandbox/sandbox-plan.ts";

interface SaidSandbox {
  readonly mode: SandboxMode;
  readonly network: NetworkChoice;
  readonly write: readonly string[];
  readonly shared: readonly string[];
  /** Null where it is not known. */
  readonly engine: EngineName | null;
}

const engines = { bwrap: "bubblewrap", landlock: "Landlock", "sandbox-exec": "sandbox-exec" } as const;

/** In few words, for lists: `workspace (bubblewrap)`. */
export function nameSandbox(mode: SandboxMode, engine: EngineName): string {
  return `${mode} (${engines[engine]})`;
}

/** One sentence for the first result and for an agent's instructions. */
export function saySandbox({ engine, ...limits }: SaidSandbox): string {
  const how = engine === null ? "" : ` with ${engines[engine]}`;
  return `Python and commands run in a sandbox${how} (python.sandbox: ${limits.mode}): ${sayLimits(limits)}.`;
}

/** A part of a sentence about Python and commands. */
export function sayLimits({ mode, network, write, shared }: Omit<SaidSandbox, "engine">): string {
  const read = mode === "strict" ? "see only these and the system" : "cannot read secrets";
  return `they can write only in ${sayPlaces({ write, shared })}, ${read}, and ${sayNetwork(network)}`;
}

function sayNetwork(network: NetworkChoice): string {
  if (network === "on") return "have the network";
  if (network === "off") return "have no network (python.sandboxNetwork: off)";
  return `reach only ${network.join(", ")} (python.sandboxNetwork)`;
}
