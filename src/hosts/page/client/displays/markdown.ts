import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "../html.ts";

/** Markdown. The library that reads it, and the one that makes its HTML safe, load with the first one. */
export function Markdown({ source }: { readonly source: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [isLoading, setLoading] = useState(true);
  useEffect(() => {
    let isCurrent = true;
    void import("./safe-markdown.ts").then(({ safeMarkdown }) => {
      if (!isCurrent) return;
      place.current?.replaceChildren(safeMarkdown(source));
      setLoading(false);
    });
    return () => {
      isCurrent = false;
    };
  }, [source]);
  return html`<div class="markdown" ref=${place} aria-busy=${isLoading}></div>`;
}
