import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "../html.ts";

/** Of longer Markdown, the beginning is shown at first, in characters. */
const mostCharacters = 60_000;
const firstCharacters = 30_000;

interface MarkdownProps {
  readonly source: string;
  /** Pictures that the text names, as `data:` addresses. */
  readonly attachments?: Readonly<Record<string, string>>;
}

const none = {};

/** Markdown. The library that reads it, and the one that makes its HTML safe, load with the first one. */
export function Markdown({ source, attachments = none }: MarkdownProps) {
  const place = useRef<HTMLDivElement>(null);
  const [isLoading, setLoading] = useState(true);
  const [isWhole, setWhole] = useState(false);
  const isCut = source.length > mostCharacters && !isWhole;
  useEffect(() => {
    let isCurrent = true;
    void import("./safe-markdown.ts").then(({ safeMarkdown }) => {
      if (!isCurrent) return;
      place.current?.replaceChildren(safeMarkdown(isCut ? beginningOf(source) : source, attachments));
      setLoading(false);
    });
    return () => {
      isCurrent = false;
    };
  }, [source, attachments, isCut]);
  return html`
    <div class="markdown" ref=${place} aria-busy=${isLoading}></div>
    ${isCut && html`<p class="whole"><button class="quiet" onClick=${() => setWhole(true)}>Show all ${source.length.toLocaleString("en")} characters</button></p>`}`;
}

/** Whole paragraphs, where there are some. */
function beginningOf(source: string): string {
  const end = source.lastIndexOf("\n\n", firstCharacters);
  return source.slice(0, end > 0 ? end : firstCharacters);
}
