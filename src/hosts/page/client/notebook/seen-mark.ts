import type { Signal } from "@preact/signals";

/** A change that was on the screen for so long has been seen. */
const lookMs = 2500;

/** Takes the mark of a changed cell away when the reader has seen the cell. */
export function forgetWhenSeen(place: Element | null, isChanged: Signal<boolean>): () => void {
  if (place === null) return () => {};
  let timer: number | undefined;
  const forget = (): void => {
    if (document.visibilityState === "visible") isChanged.value = false;
    else timer = setTimeout(forget, lookMs);
  };
  const watcher = new IntersectionObserver((entries) => {
    clearTimeout(timer);
    if (entries.at(-1)?.isIntersecting) timer = setTimeout(forget, lookMs);
  });
  watcher.observe(place);
  return () => {
    clearTimeout(timer);
    watcher.disconnect();
  };
}
