import type { SandboxPlan } from "../../sandbox/sandbox-plan.ts";

const forbidden = /read-only file system|permission denied|operation not permitted/i;
const unreachable =
  /could not resolve|name resolution|name or service not known|network is unreachable|tunnel failed, response 403|failed to connect|connection refused/i;

/** The sentence for a command that failed for a reason the sandbox usually is. */
export function deniedCommand(
  { mode, write, network }: Pick<SandboxPlan, "mode" | "write" | "network">,
  exitCode: number | null,
  output: string,
): readonly string[] {
  if (exitCode === 0) return [];
  if (unreachable.test(output) && network !== "on") {
    const reached = network === "off" ? "is off" : `allows only ${network.join(", ")}`;
    return [`The sandbox keeps commands from the network: python.sandboxNetwork ${reached}.`];
  }
  if (!forbidden.test(output)) return [];
  const where = `${write.join(", ")} and a private /tmp`;
  return [
    `The sandbox (python.sandbox: ${mode}) lets commands write only in ${where}, and read no secrets; python.sandboxWrite adds folders.`,
  ];
}
