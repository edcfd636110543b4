import type { ShownPart } from "../../output/capture.ts";
import type { ImagePart } from "../../output/display/display-part.ts";
import { gutterWidth, indented } from "../lines/gutter.ts";
import { renderStatusEvents } from "../lines/status-events.ts";
import { clamp } from "../text/fit.ts";
import { oneLine } from "../text/printable.ts";
import type { ViewOptions } from "../view-options.ts";
import { renderJsonLines } from "./json-view.ts";

/** Displays besides text: values as trees, pictures, and then status events. */
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
