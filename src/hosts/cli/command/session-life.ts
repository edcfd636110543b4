import type { KernelInfo } from "../../../kernel/kernel.ts";
import type { Runtime } from "../../../runtime/runtime.ts";
import { minutesInWords } from "../../../support/minutes-in-words.ts";

/** Whether kernels outlive a command: only the gateway that is shared on this machine keeps them. */
export function outlivesCommands(backend: string | undefined, site: Runtime["site"]): boolean {
  return backend === "gateway" && site === "here";
}

/** A sentence for whoever named a session, and expects its variables; null when there is nothing to say. */
export function sayHowLongItLasts(
  session: string,
  { backend, resumed = false }: KernelInfo,
  { site, settings }: Pick<Runtime, "site" | "settings">,
): string | null {
  if (site === "attached") return null;
  if (!outlivesCommands(backend, site)) {
    const who = { runner: "the embedded runner", zmq: "the backend zmq", gateway: "a gateway elsewhere" }[backend];
    return `The session ${session} lasts as long as this command: ${who} keeps no variables between commands.`;
  }
  if (resumed) return `This goes on with the session ${session}.`;
  const { idleMinutes } = settings.python;
  const until = idleMinutes === 0 ? "" : ` for ${minutesInWords(Math.max(1, idleMinutes))} after this command`;
  return `The session ${session} is new; its variables stay${until}.`;
}
