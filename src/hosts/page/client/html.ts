import htm from "htm";
import { h, type VNode } from "preact";

/** Elements as templates: html`<p>…</p>`. Values become text nodes and properties, never markup. */
export const html: (strings: TemplateStringsArray, ...values: unknown[]) => VNode = htm.bind(h) as never;
