import { signal } from "@preact/signals";

/** The view that the page shows, by the fragment of its address. */
export type PagePlace =
  | { readonly view: "sessions" }
  | { readonly view: "session"; readonly id: string }
  | { readonly view: "notebooks"; readonly session: string }
  | { readonly view: "notebook"; readonly session: string; readonly path: string };

export const place = signal<PagePlace>(read());

addEventListener("hashchange", () => {
  place.value = read();
});

function read(): PagePlace {
  const [view, id, path] = parts(location.hash);
  if (view === "session" && id !== undefined) return { view, id };
  if (view === "notebooks" && id !== undefined) return { view, session: id };
  if (view === "notebook" && id !== undefined && path !== undefined) return { view, session: id, path };
  return { view: "sessions" };
}

function parts(hash: string): readonly string[] {
  try {
    return hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  } catch {
    return [];
  }
}

export const sessionAddress = (id: string): string => `#/session/${encodeURIComponent(id)}`;
export const notebooksAddress = (session: string): string => `#/notebooks/${encodeURIComponent(session)}`;
export const notebookAddress = (session: string, path: string): string =>
  `#/notebook/${encodeURIComponent(session)}/${encodeURIComponent(path)}`;
export const listAddress = "#/";
