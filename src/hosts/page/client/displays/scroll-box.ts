import { useLayoutEffect, useRef } from "preact/hooks";
import { html } from "../html.ts";

/** So near to the end, the reader follows the text. */
const nearPixels = 30;

interface ScrollBoxProps {
  readonly class: string;
  readonly label: string;
  /** Whether text comes in: the box shows the end then, else the beginning. */
  readonly isLive: boolean;
  readonly children?: unknown;
}

/**
 * A box for text of any length. It shows the end while text comes in, until the reader scrolls up. It takes the focus where
 * there is something to scroll, so that the keyboard is enough.
 */
export function ScrollBox({ class: name, label, isLive, children }: ScrollBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(isLive);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const scrolls = current.scrollHeight > current.clientHeight + 1;
    if (scrolls && isAtEnd.current) current.scrollTop = current.scrollHeight;
    setFocus(current, scrolls, label);
  });
  const onScroll = (event: Event): void => {
    const { scrollHeight, scrollTop, clientHeight } = event.currentTarget as HTMLDivElement;
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < nearPixels;
  };
  return html`<div ref=${box} class=${name} onScroll=${onScroll}>${children}</div>`;
}

function setFocus(box: HTMLElement, scrolls: boolean, label: string): void {
  if (scrolls === (box.tabIndex === 0)) return;
  if (scrolls) {
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", label);
  } else for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
}
