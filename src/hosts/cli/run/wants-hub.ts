import type { CommandContext } from "../command/command-context.ts";
import type { RunArguments } from "./run-arguments.ts";

/** Whether the session is one of the hub: a kernel that runs elsewhere is joined directly. */
export function wantsHub({ session, attach }: RunArguments, { env }: CommandContext): boolean {
  return session !== undefined && attach === undefined && env.GRANARY_HUB !== "never";
}
