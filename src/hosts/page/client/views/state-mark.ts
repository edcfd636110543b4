import type { PageSession } from "../../api/sessions.ts";
import { html } from "../html.ts";

/** The state of a session, as a dot with a word. */
export function StateMark({ state }: { readonly state: PageSession["state"] }) {
  return html`<span class=${`mark ${state.replaceAll(" ", "-")}`}><span class="dot" aria-hidden="true"></span>${state}</span>`;
}
