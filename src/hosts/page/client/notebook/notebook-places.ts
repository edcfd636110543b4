import { signal } from "@preact/signals";
import { html } from "../html.ts";
import type { PagePlace } from "../state/route.ts";

type Views = typeof import("./notebook-views.ts");

const views = signal<Views | null>(null);

/** The views of notebooks, which load when one is first opened. */
export function NotebookPlaces({ place }: { readonly place: Extract<PagePlace, { view: "notebook" | "notebooks" }> }) {
  if (views.value === null) {
    void import("./notebook-views.ts").then((loaded) => {
      views.value = loaded;
    });
    return html`<p class="hint" role="status">Loading…</p>`;
  }
  const { NotebookListView, NotebookPageView } = views.value;
  if (place.view === "notebooks") return html`<${NotebookListView} key=${place.session} session=${place.session} />`;
  const { session, path } = place;
  return html`<${NotebookPageView} key=${`${session}/${path}`} session=${session} path=${path} />`;
}
