import { html } from "../html.ts";
import { now } from "../state/clock.ts";
import type { OpenSession } from "../state/open-session.ts";
import { useQuestion } from "./use-question.ts";

/** How often a running cell is looked at. */
const everySeconds = 2;

/** The stack of the running cell, its processes, and the end of its output. */
export function LookPanel({ session }: { readonly session: OpenSession }) {
  const isBusy = session.facts.value?.state === "busy";
  const moment = isBusy ? Math.floor(now.value / (everySeconds * 1000)) : 0;
  const { answer, problem } = useQuestion<{ readonly text: string | null }>(
    (signal) => session.get("look", signal),
    [moment, isBusy],
  );
  if (problem !== null) return html`<p class="problem">${problem}</p>`;
  if (!isBusy || answer === null || answer.text === null) return html`<p class="hint">No cell is running.</p>`;
  return html`<pre class="look" tabindex="0" aria-label="Stack and processes">${answer.text}</pre>`;
}
