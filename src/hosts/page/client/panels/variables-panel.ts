import { useSignal } from "@preact/signals";
import { sayBytes } from "../../../../output/text/say-size.ts";
import type { PageVariable, VariableList } from "../../api/variables.ts";
import { html } from "../html.ts";
import type { OpenSession } from "../state/open-session.ts";
import { TableViewer } from "./table-viewer.ts";
import { useQuestion } from "./use-question.ts";

/** The variables of the session, read again after every cell. */
export function VariablesPanel({ session }: { readonly session: OpenSession }) {
  const open = useSignal<string | null>(null);
  const last = session.cells.value.at(-1)?.head.value;
  const { answer, problem } = useQuestion<VariableList>(
    (signal) => session.get("variables", signal),
    [last?.id, last?.state, session.facts.value?.state],
  );
  const variables = answer?.variables ?? [];
  if (open.value !== null) {
    const back = (): void => {
      open.value = null;
    };
    return html`
      <p class="panel-title"><button class="quiet" onClick=${back}>← Variables</button> <strong>${open.value}</strong></p>
      <${TableViewer} session=${session} name=${open.value} version=${session.facts.value?.state === "busy" || last?.durationMs === null ? null : `${last?.id}`} />`;
  }
  return html`
    ${problem !== null && html`<p class="problem">${problem}</p>`}
    ${answer !== null && variables.length === 0 && html`<p class="hint">There are no variables yet.</p>`}
    ${
      variables.length > 0 &&
      html`
      <div class="table-box" tabindex="0" role="region" aria-label="List of variables">
        <table class="variables">
          <thead><tr><th scope="col">name</th><th scope="col">type</th><th scope="col">value</th></tr></thead>
          <tbody>${variables.map(
            (each) =>
              html`<${Row} key=${each.name} variable=${each} onOpen=${() => {
                open.value = each.name;
              }} />`,
          )}</tbody>
        </table>
      </div>`
    }
    ${answer !== null && answer.total > variables.length && html`<p class="hint">${answer.total - variables.length} more</p>`}`;
}

function Row({ variable, onOpen }: { readonly variable: PageVariable; readonly onOpen: () => void }) {
  const { name, type, shape, length, size, value } = variable;
  const extent = shape !== null ? shape.join(" × ") : length !== null ? String(length) : "";
  return html`
    <tr>
      <th scope="row">${isTable(variable) ? html`<button class="link" onClick=${onOpen}>${name}</button>` : name}</th>
      <td>${type}${extent === "" ? "" : html` <span class="dim">${extent}</span>`}</td>
      <td class="value" title=${size === null ? undefined : sayBytes(size)}>${value}</td>
    </tr>`;
}

/** Whether Python can show its rows. */
function isTable({ type, shape, length }: PageVariable): boolean {
  return shape !== null || ((length ?? 0) > 0 && ["list", "dict", "tuple"].includes(type));
}
