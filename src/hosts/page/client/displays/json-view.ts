import { useState } from "preact/hooks";
import type { Json } from "../../api/cells.ts";
import { html } from "../html.ts";

/** More members appear on request. */
const fewMembers = 100;
/** Deeper levels are closed at first. */
const openLevels = 2;

/** A value as a tree whose branches open and close. Closed branches have no nodes, so any depth is fine. */
export function JsonTreeView({ value }: { readonly value: Json }) {
  return html`<div class="json"><${Branch} name=${null} value=${value} level=${0} /></div>`;
}

interface BranchProps {
  readonly name: string | null;
  readonly value: Json;
  readonly level: number;
}

function Branch({ name, value, level }: BranchProps) {
  const [isOpen, setOpen] = useState(level < openLevels);
  const [shown, setShown] = useState(fewMembers);
  const label = name === null ? "" : html`<span class="json-key">${name}</span>: `;
  if (typeof value !== "object" || value === null) {
    return html`<div class="json-leaf">${label}<span class=${`json-${value === null ? "null" : typeof value}`}>${JSON.stringify(value)}</span></div>`;
  }
  const members: readonly (readonly [string, Json])[] = Array.isArray(value)
    ? value.slice(0, shown).map((each: Json, index) => [String(index), each])
    : Object.entries(value).slice(0, shown);
  const total = Array.isArray(value) ? value.length : Object.keys(value).length;
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const toggle = (event: Event): void => setOpen((event.currentTarget as HTMLDetailsElement).open);
  return html`
    <details class="json-branch" open=${isOpen} onToggle=${toggle}>
      <summary>${label}${open}<span class="json-count"> ${total} </span>${close}</summary>
      ${isOpen && members.map(([key, member]) => html`<${Branch} key=${key} name=${key} value=${member} level=${level + 1} />`)}
      ${isOpen && total > shown && html`<button class="quiet" onClick=${() => setShown(shown * 10)}>${total - shown} more</button>`}
    </details>`;
}
