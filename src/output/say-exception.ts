import { headWithin } from "./utf8-cut.ts";

/** In bytes. Some exceptions have all of their data in the message, which stands in the traceback, too. */
const longest = 300;

/** `ValueError: no such thing`, or `KeyboardInterrupt` alone. Of several lines, the first says enough. */
export function sayException({ name, message }: { readonly name: string; readonly message: string }): string {
  const [first = ""] = message.split("\n", 1);
  if (first === "") return name;
  const shown = headWithin(first, longest);
  return `${name}: ${shown}${shown === first ? "" : "…"}`;
}
