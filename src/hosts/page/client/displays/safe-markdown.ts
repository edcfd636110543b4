import createPurify from "dompurify";
import { markdownToHtml } from "../../../../output/html/markdown-to-html.ts";

const purify = createPurify(window);

/** Describe text only: no forms, no styles, no frames, and nothing that another part of the page could be mistaken for. */
const allowed = {
  ALLOWED_TAGS: (
    "a abbr b blockquote br caption code dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li " +
    "mark ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var"
  ).split(" "),
  ALLOWED_ATTR: ["href", "src", "alt", "title", "colspan", "rowspan", "start", "align", "open"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|data:image\/(?:png|jpeg|gif|webp);base64,)/i,
  RETURN_DOM_FRAGMENT: true,
} as const;

let pictures: Readonly<Record<string, string>> = {};

purify.addHook("uponSanitizeAttribute", (_, attribute) => {
  const [, name] = /^attachment:(.*)$/.exec(attribute.attrValue) ?? [];
  if (attribute.attrName === "src" && name !== undefined) attribute.attrValue = pictureNamed(name);
});

function pictureNamed(name: string): string {
  try {
    const plain = decodeURIComponent(name);
    return Object.hasOwn(pictures, plain) ? (pictures[plain] ?? "") : "";
  } catch {
    return "";
  }
}

purify.addHook("afterSanitizeAttributes", (element) => {
  if (element instanceof HTMLAnchorElement) {
    element.target = "_blank";
    element.rel = "noopener noreferrer";
    // A click must not change the place of the page.
    if (element.getAttribute("href")?.startsWith("#")) element.removeAttribute("href");
  }
  // Another host would learn who reads the page.
  if (element instanceof HTMLImageElement && !element.src.startsWith("data:")) element.replaceWith(element.alt);
});

/** Markdown of a cell as nodes that cannot act on the page. @param attachments pictures by their names */
export function safeMarkdown(source: string, attachments: Readonly<Record<string, string>> = {}): DocumentFragment {
  pictures = attachments;
  return purify.sanitize(markdownToHtml(source), {
    ...allowed,
    ALLOWED_TAGS: [...allowed.ALLOWED_TAGS],
    ALLOWED_ATTR: [...allowed.ALLOWED_ATTR],
  });
}
