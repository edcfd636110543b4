import { useSignal } from "@preact/signals";
import { html } from "../html.ts";
import type { OpenSession } from "../state/open-session.ts";
import { LookPanel } from "./look-panel.ts";
import { StatesPanel } from "./states-panel.ts";
import { VariablesPanel } from "./variables-panel.ts";

const all = [
  { name: "Variables", panel: VariablesPanel },
  { name: "Look", panel: LookPanel },
  { name: "Undo", panel: StatesPanel },
] as const;

/** Variables, stack and earlier states of the session, beside its cells: one panel at a time. */
export function Panels({ session }: { readonly session: OpenSession }) {
  const chosen = useSignal<string | null>(null);
  const shown = all.find(({ name }) => name === chosen.value);
  return html`
    <div class="panels">
      <div class="panel-choice" role="toolbar" aria-label="Panels">${all.map(
        ({ name }) => html`
          <button key=${name} aria-pressed=${chosen.value === name} onClick=${() => {
            chosen.value = chosen.value === name ? null : name;
          }}>${name}</button>`,
      )}</div>
      ${shown !== undefined && html`<section class="panel" aria-label=${shown.name}><${shown.panel} session=${session} /></section>`}
    </div>`;
}
