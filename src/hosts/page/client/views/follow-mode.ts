import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { html } from "../html.ts";
import type { OpenSession } from "../state/open-session.ts";

/** So near to the end, the reader follows the output. */
const nearPixels = 60;

/**
 * Keeps the end of the page in view while the reader is there. A reader who has scrolled up stays where they are, and gets a
 * button that leads to the end.
 */
export function useFollowMode(session: OpenSession) {
  const isFollowing = useSignal(true);
  useEffect(() => {
    const watch = (): void => {
      isFollowing.value = isNearEnd();
    };
    addEventListener("scroll", watch, { passive: true });
    return () => removeEventListener("scroll", watch);
  }, []);
  useEffect(() => {
    let top = topOfCells();
    const grows = new ResizeObserver(() => {
      // A panel that opens above the cells is what the reader wants to see. At first there are no cells, and no top.
      const isPanel = top > 0 && topOfCells() !== top;
      top = topOfCells();
      if (isPanel) isFollowing.value = isNearEnd();
      else if (isFollowing.value) scrollTo({ top: document.documentElement.scrollHeight });
    });
    grows.observe(document.body);
    return () => grows.disconnect();
  }, []);
  const hasNews = useSignal(false);
  useSignalEffect(() => {
    const last = session.cells.value.at(-1);
    void last?.outputs.value;
    hasNews.value = !isFollowing.value && last?.head.value.state === "running";
  });
  if (isFollowing.value) return null;
  const toEnd = (): void => scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
  return html`<button class="to-end" onClick=${toEnd}>${hasNews.value ? "New output ↓" : "To the end ↓"}</button>`;
}

function topOfCells(): number {
  return document.querySelector<HTMLElement>(".cells")?.offsetTop ?? 0;
}

function isNearEnd(): boolean {
  return document.documentElement.scrollHeight - scrollY - innerHeight < nearPixels;
}
