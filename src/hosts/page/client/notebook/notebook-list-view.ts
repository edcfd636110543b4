import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { sayBytes } from "../../../../output/text/say-size.ts";
import type { NotebookListing } from "../../api/notebooks.ts";
import { request } from "../connection/request.ts";
import { html } from "../html.ts";
import { now } from "../state/clock.ts";
import { notebookAddress, sessionAddress } from "../state/route.ts";
import { sayAgo } from "../text/say-ago.ts";

/** The notebooks below the folder of a session. */
export function NotebookListView({ session }: { readonly session: string }) {
  const listing = useSignal<NotebookListing | null>(null);
  const problem = useSignal("");
  useEffect(() => {
    document.title = "Notebooks · Granary";
    request<NotebookListing>("GET", `sessions/${encodeURIComponent(session)}/notebooks`).then(
      (found) => {
        listing.value = found;
      },
      (error: Error) => {
        problem.value = error.message;
      },
    );
  }, [session]);
  const found = listing.value;
  return html`
    <h1>Notebooks</h1>
    <p class="hint"><a href=${sessionAddress(session)}>Back to the session</a></p>
    <p class="problem" role="alert">${problem.value}</p>
    ${found === null && problem.value === "" && html`<p class="hint" role="status">Loading…</p>`}
    ${found?.notebooks.length === 0 && html`<p class="hint">There are no notebooks below this session's folder. This makes one: <code>granary notebook new NAME.ipynb</code></p>`}
    <ul class="sessions">${found?.notebooks.map(
      ({ path, bytes, modifiedAt }) => html`
        <li key=${path}>
          <a class="notebook-row" href=${notebookAddress(session, path)}>
            <span class="notebook-path">${path}</span>
            <span class="facts"><span>${sayAgo(modifiedAt, now.value)}</span><span>${sayBytes(bytes)}</span></span>
          </a>
        </li>`,
    )}</ul>
    ${found?.isCut && html`<p class="hint">The folder has more files than the page searches.</p>`}`;
}
