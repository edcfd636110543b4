import { sanitize } from "./sanitize.ts";
import { headWithin } from "./utf8-cut.ts";
import { visibleText } from "./visible-text.ts";

/** In bytes. Some exceptions have all of their data in the message, which stands in the traceback, too. */
const longest = 300;

/** `ValueError: no such thing`, or `KeyboardInterrupt` alone. Of several lines, the first says enough. */
export function sayException({ name, message }: { readonly name: string; readonly message: string }): string {
  // Colours go; what is only cut off later need not be looked at.
  const [first = ""] = sanitize(message.slice(0, 4 * longest)).split("\n", 1);
  if (first === "") return visibleText(name);
  const shown = headWithin(first, longest);
  return `${visibleText(name)}: ${shown}${shown === first ? "" : "…"}`;
}
