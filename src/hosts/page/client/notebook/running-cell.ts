import { computed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { html } from "../html.ts";
import type { NotebookAtHand } from "./notebook-actions.ts";

/**
 * Follows a run from cell to cell while the reader looks at the cell that runs, and types nowhere. A reader who has scrolled
 * away stays there, and gets a button that leads to the running cell.
 */
export function RunningCell({ open }: { readonly open: NotebookAtHand }) {
  const { notebook, drafts } = open;
  const running = useMemo(
    () => computed(() => notebook.cells.value?.find(({ run }) => run.value?.state === "running")?.key ?? null),
    [notebook],
  );
  const isSeen = useSignal(true);
  const last = useRef<string | null>(null);
  useSignalEffect(() => {
    const key = running.value;
    if (key === null) return;
    const follows = last.current !== null && isOnScreen(last.current) && drafts.editing.peek() === null;
    last.current = key;
    // After the output of the cell before is drawn.
    if (follows) requestAnimationFrame(() => placeOf(key)?.scrollIntoView({ block: "nearest" }));
  });
  const key = running.value;
  useEffect(() => {
    const place = key === null ? null : placeOf(key);
    isSeen.value = true;
    if (place === null) return;
    const watcher = new IntersectionObserver((entries) => {
      isSeen.value = entries.at(-1)?.isIntersecting ?? true;
    });
    watcher.observe(place);
    return () => watcher.disconnect();
  }, [key]);
  if (key === null || isSeen.value) return null;
  const toCell = (): void => placeOf(key)?.scrollIntoView({ block: "center" });
  return html`<button class="to-end" onClick=${toCell}>Running cell ${isAbove(key) ? "↑" : "↓"}</button>`;
}

const placeOf = (key: string): HTMLElement | null => document.getElementById(`notebook-${key}`);

function isOnScreen(key: string): boolean {
  const box = placeOf(key)?.getBoundingClientRect();
  return box !== undefined && box.bottom > 0 && box.top < innerHeight;
}

const isAbove = (key: string): boolean => (placeOf(key)?.getBoundingClientRect().top ?? 0) < 0;
