import { useEffect, useRef } from "preact/hooks";
import { html } from "../html.ts";

/** Taller output scrolls inside its frame. */
const tallest = 640;
const firstHeight = 80;

/**
 * HTML of a cell, in a frame without an origin. The only thing that the page takes from it is a height, within bounds.
 */
export function HtmlFrame({ content }: { readonly content: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const resize = ({ source, data }: MessageEvent): void => {
      const { current } = frame;
      if (current === null || source !== current.contentWindow) return;
      const height = Number((data as { readonly height?: unknown } | null)?.height);
      if (Number.isFinite(height)) current.style.height = `${Math.min(tallest, Math.max(20, Math.ceil(height)))}px`;
    };
    addEventListener("message", resize);
    return () => removeEventListener("message", resize);
  }, []);
  // A changed output gets a fresh frame, by its key. A document that the frame went to by itself gets nothing.
  const send = (event: Event): void => {
    const target = event.currentTarget as HTMLIFrameElement;
    if (target.dataset.sent !== undefined) return;
    target.dataset.sent = "yes";
    target.contentWindow?.postMessage({ html: content }, "*");
  };
  return html`<iframe key=${content} ref=${frame} class="html-frame" title="HTML output" src="/page/frame" sandbox="allow-scripts"
    loading="lazy" referrerpolicy="no-referrer" height=${firstHeight} onLoad=${send}></iframe>`;
}
