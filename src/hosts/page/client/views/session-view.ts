import { useEffect, useMemo } from "preact/hooks";
import { CellView } from "../cell/cell.ts";
import { html } from "../html.ts";
import { Panels } from "../panels/panels.ts";
import { OpenSession } from "../state/open-session.ts";
import { listAddress } from "../state/route.ts";
import { CellComposer } from "./composer.ts";
import { useFollowMode } from "./follow-mode.ts";
import { SessionHead } from "./session-head.ts";

/** One session: its cells in order, as they run. */
export function SessionView({ id }: { readonly id: string }) {
  const session = useMemo(() => new OpenSession(id), [id]);
  useEffect(() => () => session.close(), [session]);
  const facts = session.facts.value;
  useEffect(() => {
    document.title = facts === null ? "Granary" : `${facts.state === "busy" ? "● " : ""}${facts.name} · Granary`;
  }, [facts?.name, facts?.state]);
  const followMode = useFollowMode(session);
  if (session.isGone.value) {
    return html`<p class="hint">This session has ended. <a href=${listAddress}>All sessions</a></p>`;
  }
  if (facts === null) return html`<p class="hint" role="status">Loading…</p>`;
  return html`
    <${SessionHead} session=${session} facts=${facts} />
    <${Panels} session=${session} />
    ${session.hasEarlier.value && html`<button class="quiet earlier" onClick=${() => session.loadEarlier()}>Show earlier cells</button>`}
    <div class="cells" role="feed" aria-label="Cells" aria-busy=${facts.state === "busy"}>
      ${session.cells.value.map((cell) => html`<${CellView} key=${cell.id} cell=${cell} session=${session} />`)}
    </div>
    ${session.cells.value.length === 0 && html`<p class="hint">No cell has run yet.</p>`}
    ${session.hasGap.value && html`<p class="hint" role="status">The browser was too slow for this output, so a part of it is left out.</p>`}
    ${followMode}
    <${CellComposer} session=${session} />`;
}
