import { isConnected } from "../connection/follow.ts";
import { lockedOut } from "../connection/token.ts";
import { html } from "../html.ts";
import { NotebookPlaces } from "../notebook/notebook-places.ts";
import { listAddress, type PagePlace, place } from "../state/route.ts";
import { SessionListView } from "./session-list-view.ts";
import { SessionView } from "./session-view.ts";

export function App() {
  if (lockedOut.value !== null) return html`<main class="locked"><h1>Granary</h1><p>${lockedOut.value}</p></main>`;
  const shown = place.value;
  return html`
    <a class="skip" href="#content" onClick=${skip}>Skip to content</a>
    <nav class="top" aria-label="Page">
      <a class="brand" href=${listAddress} aria-current=${shown.view === "sessions" ? "page" : undefined}>Granary</a>
      <span class="grow"></span>
      <span class="connection" role="status">${isConnected.value ? "" : "Connection lost. Reconnecting…"}</span>
    </nav>
    <main id="content" tabindex="-1">
      ${viewOf(shown)}
    </main>`;
}

function viewOf(shown: PagePlace) {
  switch (shown.view) {
    case "sessions":
      return html`<${SessionListView} />`;
    case "session":
      return html`<${SessionView} key=${shown.id} id=${shown.id} />`;
    default:
      return html`<${NotebookPlaces} place=${shown} />`;
  }
}

/** The fragment of the address is the place, so the link must not change it. */
function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}
