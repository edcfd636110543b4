import type { HubFacts } from "../../../hub/session-facts.ts";
import { sayCount } from "../../../support/say-count.ts";
import { sayAge } from "../../../support/say-time.ts";

/** The hub in a few lines, for people. */
export function describeHub({ pid, version, startedAt, clients, sessions, log }: HubFacts, now: number): string {
  const busy = sessions.filter(({ state }) => state === "busy").length;
  const names = clients.map(({ name, pid }) => `${name} (${pid})`).join(", ");
  return [
    `The hub runs: Granary ${version}, process ${pid}, for ${sayAge(now - Date.parse(startedAt))}.`,
    `Sessions: ${sessions.length === 0 ? "none" : `${sessions.length}, ${busy} busy; see: granary sessions`}`,
    `Clients: ${names === "" ? "none" : `${sayCount(clients.length, "client")}: ${names}`}`,
    `Log: ${log}`,
  ].join("\n");
}
