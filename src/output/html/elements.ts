/** What elements do to the text around them; what is not here does nothing. */

const names = (list: string) => new Set(list.split(" "));

/** Inside a line. */
export const spans = names("a b strong i em del s strike code kbd samp tt var sup q");

/** Set apart by an empty line. */
export const paragraphs = names(
  "p address article aside center details dl fieldset figure footer form header hr main nav section",
);

/** On a line of their own. */
export const lines = names("div body html head figcaption legend option optgroup select thead tbody tfoot");

/** Blocks that change what is inside of them: these get a box. */
export const boxed = names("h1 h2 h3 h4 h5 h6 blockquote pre ul ol menu dir li dt dd summary caption table tr td th");

export function isBlock(name: string): boolean {
  return paragraphs.has(name) || lines.has(name) || boxed.has(name);
}
