import type { BundleOutput, Json } from "../../api/cells.ts";
import { html } from "../html.ts";

const types = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"];

/** The form of a display that is a picture; null for none. */
export function pictureType({ data }: BundleOutput): string | null {
  return types.find((type) => data[type] !== undefined) ?? null;
}

/** As an image, in which scripts of an SVG do not run. */
export function Picture({ output }: { readonly output: BundleOutput }) {
  const type = pictureType(output) ?? "";
  const content = formText(output.data[type]);
  const source =
    type === "image/svg+xml"
      ? `data:image/svg+xml;charset=utf-8,${encodeURIComponent(content)}`
      : `data:${type};base64,${content.replace(/\s+/g, "")}`;
  const size = output.metadata[type] as { readonly width?: number; readonly height?: number } | undefined;
  const width = typeof size?.width === "number" ? size.width : undefined;
  return html`<img class="picture" src=${source} width=${width} alt=${alternative(output)} />`;
}

function alternative({ data }: BundleOutput): string {
  const text = formText(data["text/plain"]).trim();
  return text === "" || text.startsWith("<") ? "Picture of this cell" : text.slice(0, 200);
}

export function formText(value: Json | undefined): string {
  if (typeof value === "string") return value;
  return Array.isArray(value)
    ? value.map(formText).join("")
    : value === undefined
      ? ""
      : JSON.stringify(value, null, 2);
}
