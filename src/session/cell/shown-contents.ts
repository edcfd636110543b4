import type { KernelEvent, LargeContent } from "../../kernel/events.ts";
import { withLargeContents } from "../../kernel/large-content.ts";
import { hostNewsType } from "../host-news.ts";

/**
 * The event with those of its large contents in `data` that are to be shown: pictures, and what a summary can be made of.
 * The others stay where they are, for those who store them.
 */
export function withShownContents(event: KernelEvent): KernelEvent | Promise<KernelEvent> {
  if ((event.type !== "display" && event.type !== "result") || event.large === undefined) return event;
  return withLargeContents(event, mostBytes);
}

/** To make a value of JSON blocks everybody else meanwhile. Of plain text there is an excerpt already. */
function mostBytes(mimeType: string, { isJson }: LargeContent): number {
  if (mimeType === "image/png" || mimeType === "image/jpeg") return 16_000_000;
  if (mimeType === hostNewsType) return 16_000_000;
  return isJson || mimeType === "text/html" || mimeType === "text/markdown" ? 4_000_000 : 0;
}
