import type { ShownPart } from "../../output/capture.ts";
import type { ImagePart } from "../../output/display/display-part.ts";
import { jsonTree } from "../../output/display/json-tree.ts";
import { gutterWidth, indented } from "../lines/gutter.ts";
import { renderStatusEvents } from "../lines/status-events.ts";
import { clamp } from "../text/fit.ts";
import { oneLine } from "../text/printable.ts";
import type { ViewOptions } from "../view-options.ts";
import { renderJsonLines } from "./json-view.ts";

/** What was displayed besides text: values as trees, pictures, and then what helpers did. */
export function renderParts(parts: readonly ShownPart[], options: ViewOptions): readonly string[] {
  const inside = { ...options, width: options.width - gutterWidth };
  const displays = parts.flatMap((part) => {
    if (part.type === "json") return indented(renderJsonLines(part.value, inside));
    return part.type === "image" ? renderPicture(part, options) : [];
  });
  const events = parts.flatMap((part) => (part.type === "status" ? [part.event] : []));
  return [...displays, ...renderStatusEvents(events, options)];
}

function renderPicture(part: ImagePart, { width, theme, pictures }: ViewOptions): readonly string[] {
  const drawn = pictures?.(part, width) ?? [];
  if (drawn.length > 0) return drawn;
  const alt = part.alt === "" ? "" : `: ${part.alt}`;
  const name = `[${part.mimeType} ${part.original.width}x${part.original.height}${alt}]`;
  return indented([theme.muted(clamp(oneLine(name), width - gutterWidth))]);
}

/** A model reads a value as text; here it is a tree, and is not shown twice. */
export function withoutTrees(output: string, parts: readonly ShownPart[]): string {
  let text = output;
  for (const part of parts) if (part.type === "json") text = withoutLines(text, jsonTree(part.value).text);
  return text;
}

function withoutLines(text: string, lines: string): string {
  for (let at = text.indexOf(lines); at !== -1; at = text.indexOf(lines, at + 1)) {
    const end = at + lines.length;
    const areWhole = (at === 0 || text[at - 1] === "\n") && (end === text.length || text[end] === "\n");
    if (areWhole) return text.slice(0, at) + text.slice(end + 1);
  }
  return text;
}
