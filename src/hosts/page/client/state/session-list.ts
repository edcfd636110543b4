import { signal } from "@preact/signals";
import type { SessionsEvent } from "../../api/events.ts";
import type { PageSession } from "../../api/sessions.ts";
import { follow } from "../connection/follow.ts";

/** Null before the first answer. */
export const sessionList = signal<readonly PageSession[] | null>(null);

/** Keeps the list up to date until the returned function is called. */
export function followSessionList(): () => void {
  return follow<SessionsEvent>("events", (event) => {
    sessionList.value = event.sessions;
  });
}
