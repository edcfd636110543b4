import type { EngineName } from "../../sandbox/engine.ts";
import type { NetworkChoice, SandboxMode } from "../../sandbox/sandbox-plan.ts";

interface SaidSandbox {
  readonly mode: SandboxMode;
  readonly network: NetworkChoice;
  readonly write: readonly string[];
  /** Null where it is not chosen yet. */
  readonly engine: EngineName | null;
}

const engines = { bwrap: "bubblewrap", landlock: "Landlock", "sandbox-exec": "sandbox-exec" } as const;

/** One sentence for the first result and for an agent's instructions. */
export function saySandbox({ mode, network, write, engine }: SaidSandbox): string {
  const how = engine === null ? "" : ` with ${engines[engine]}`;
  return (
    `Python and commands run in a sandbox${how} (python.sandbox: ${mode}): they can write only in ${write.join(", ")} and a ` +
    `private /tmp, ${mode === "strict" ? "see only these and the system" : "cannot read secrets"}, and ${sayNetwork(network)}.`
  );
}

function sayNetwork(network: NetworkChoice): string {
  if (network === "on") return "have the network";
  if (network === "off") return "have no network (python.sandboxNetwork: off)";
  return `reach only ${network.join(", ")} (python.sandboxNetwork)`;
}
