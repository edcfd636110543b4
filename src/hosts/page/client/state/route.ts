import { signal } from "@preact/signals";

/** The view that the page shows, by the fragment of its address. */
export type PagePlace = { readonly view: "sessions" } | { readonly view: "session"; readonly id: string };

export const place = signal<PagePlace>(read());

addEventListener("hashchange", () => {
  place.value = read();
});

function read(): PagePlace {
  const [, id] = /^#\/session\/([^/]+)$/.exec(location.hash) ?? [];
  return id === undefined ? { view: "sessions" } : { view: "session", id: decodeURIComponent(id) };
}

export const sessionAddress = (id: string): string => `#/session/${encodeURIComponent(id)}`;
export const listAddress = "#/";
