/**
 * The text with the items of every `{'b', 'a'}` in order: a set of texts prints in another order in every process.
 * A dict, which keeps its order, stays as it is. One pass, with open brackets on a stack.
 */
export function withSortedSets(text: string): string {
  if (!text.includes("{")) return text;
  const stack: Braces[] = [];
  let written = "";
  let at = 0;
  for (const match of text.matchAll(tokens)) {
    const [token] = match;
    const before = text.slice(at, match.index);
    at = match.index + token.length;
    const open = stack.at(-1);
    if (open === undefined) written += before;
    else open.item += before;

    if (token === "{") stack.push({ items: [], item: "", brackets: 0, isSet: true });
    else if (open === undefined) written += token;
    else if (token === "}") {
      stack.pop();
      const closed = asText(open);
      const outer = stack.at(-1);
      if (outer === undefined) written += closed;
      else outer.item += closed;
    } else if (open.brackets === 0 && token === ",") {
      open.items.push(open.item);
      open.item = "";
    } else {
      if (token === "(" || token === "[") open.brackets += 1;
      if (token === ")" || token === "]") open.brackets -= 1;
      if (open.brackets === 0 && token === ":") open.isSet = false;
      open.item += token;
    }
  }
  const rest = text.slice(at);
  // An unclosed brace is no set.
  return written + stack.map(({ items, item }) => `{${[...items, item].join(",")}`).join("") + rest;
}

interface Braces {
  readonly items: string[];
  item: string;
  /** Open round and square brackets inside. */
  brackets: number;
  isSet: boolean;
}

/** A string of Python on one line, or a character with a meaning. */
const tokens = /'(?:[^'\\\n]|\\.){0,500}'|"(?:[^"\\\n]|\\.){0,500}"|[{}()[\],:]/g;

function asText({ items, item, isSet }: Braces): string {
  const all = [...items, item];
  if (!isSet || items.length === 0) return `{${all.join(",")}}`;
  const sorted = all.map((one) => one.trim()).sort();
  return `{${sorted.join(", ")}}`;
}
