import { sanitize } from "./sanitize.ts";
import { headWithin } from "./utf8-cut.ts";
import { visibleText } from "./visible-text.ts";

/** In bytes. Some exceptions have all their data in the message, which is also in the traceback. */
const longest = 300;

/** `ValueError: no such thing`, or `KeyboardInterrupt` alone. Uses only the first line of the message. */
export function sayException({ name, message }: { readonly name: string; readonly message: string }): string {
  // Remove colours, but only in the part that is shown.
  const [first = ""] = sanitize(message.slice(0, 4 * longest)).split("\n", 1);
  if (first === "") return visibleText(name);
  const shown = headWithin(first, longest);
  return `${visibleText(name)}: ${shown}${shown === first ? "" : "…"}`;
}
