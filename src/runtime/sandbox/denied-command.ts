import type { SandboxPlan } from "../../sandbox/sandbox-plan.ts";

const forbidden = /read-only file system|permission denied|operation not permitted/i;
const unreachable =
  /could not resolve|name resolution|name or service not known|network is unreachable|tunnel failed, response 403|failed to connect|connection refused/i;
const notThere = /no such file or directory/i;

type Limits = Pick<SandboxPlan, "mode" | "write" | "network" | "hide">;

/** The sentence for a command that failed for a reason the sandbox usually is. */
export function deniedCommand(limits: Limits, exitCode: number | null, output: string): readonly string[] {
  return exitCode === 0 ? [] : deniedOutput(limits, output);
}

/** Likewise for the output of a cell, where a failed command raises nothing. An exception of Python has its own sentence. */
export function deniedOutput({ mode, write, network, hide }: Limits, output: string): readonly string[] {
  if (output.includes("python.sandbox")) return [];
  if (unreachable.test(output) && network !== "on") {
    const reached = network === "off" ? "is off" : `allows only ${network.join(", ")}`;
    return [`The sandbox keeps commands from the network: python.sandboxNetwork ${reached}.`];
  }
  if (forbidden.test(output)) {
    const where = `${write.join(", ")} and a private /tmp`;
    return [
      `The sandbox (python.sandbox: ${mode}) lets commands write only in ${where}, and read no secrets; python.sandboxWrite adds folders.`,
    ];
  }
  const hidden = notThere.test(output) && hide.find((path) => !path.endsWith("/tmp") && output.includes(path));
  return hidden ? [`The sandbox (python.sandbox: ${mode}) hides ${hidden}.`] : [];
}
