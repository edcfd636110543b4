import { useEffect } from "preact/hooks";
import { sayBytes } from "../../../../output/text/say-size.ts";
import { sayElapsed } from "../../../../view/lines/elapsed.ts";
import type { PageSession } from "../../api/sessions.ts";
import { html } from "../html.ts";
import { now } from "../state/clock.ts";
import { sessionAddress } from "../state/route.ts";
import { followSessionList, sessionList } from "../state/session-list.ts";
import { sayAgo } from "../text/say-ago.ts";
import { StateMark } from "./state-mark.ts";

/** All sessions, the last used first. */
export function SessionListView() {
  useEffect(followSessionList, []);
  useEffect(() => {
    document.title = "Sessions · Granary";
  }, []);
  const sessions = sessionList.value;
  return html`
    <h1>Sessions</h1>
    ${sessions === null && html`<p class="hint" role="status">Loading…</p>`}
    ${sessions?.length === 0 && html`<p class="hint">There are no sessions. This starts one: <code>granary run --session NAME -c CODE</code></p>`}
    <ul class="sessions">${sessions?.map((session) => html`<${Row} key=${session.id} session=${session} />`)}</ul>`;
}

function Row({ session }: { readonly session: PageSession }) {
  const { id, name, folder, state, kernel, sandbox, work, clients, lastCell, lastUse } = session;
  const [running] = work;
  return html`
    <li>
      <a class="session-row" href=${sessionAddress(id)}>
        <span class="session-name"><${StateMark} state=${state} />${name}</span>
        <span class="folder">${folder}</span>
        <span class="last-cell">${running?.firstLine ?? lastCell ?? "no cells yet"}</span>
        <span class="facts">
          ${running?.startedAt ? html`<span>${sayElapsed(now.value - running.startedAt)}</span>` : html`<span>${sayAgo(lastUse, now.value)}</span>`}
          ${sandbox !== null && html`<span>sandbox: ${sandbox}</span>`}
          ${kernel !== null && kernel.memoryBytes > 0 && html`<span>${sayBytes(kernel.memoryBytes)}</span>`}
          ${clients.map((client) => html`<span class="client">${client}</span>`)}
        </span>
      </a>
    </li>`;
}
