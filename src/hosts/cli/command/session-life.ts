import type { KernelInfo } from "../../../kernel/kernel.ts";
import type { Runtime } from "../../../runtime/runtime.ts";
import { minutesInWords } from "../../../support/say-time.ts";

/** Whether kernels outlive a command: only the shared gateway of this machine keeps them. */
export function outlivesCommands(backend: string | undefined, site: Runtime["site"]): boolean {
  return backend === "gateway" && site === "here";
}

/** Tells a user who named a session whether its variables are kept; null when there is nothing to say. */
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
  if (resumed) return `Resumed the session ${session}.`;
  const { idleMinutes } = settings.python;
  const until = idleMinutes === 0 ? "" : ` for ${minutesInWords(Math.max(1, idleMinutes))} after this command`;
  return `The session ${session} is new; its variables stay${until}.`;
}
