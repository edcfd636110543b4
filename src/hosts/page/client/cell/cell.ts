import { sayElapsed } from "../../../../view/lines/elapsed.ts";
import type { CellHead, PageCellState } from "../../api/cells.ts";
import { Output } from "../displays/output.ts";
import { WholeOutput } from "../displays/whole-output.ts";
import { html } from "../html.ts";
import { now } from "../state/clock.ts";
import type { LiveCell, OpenSession } from "../state/open-session.ts";
import { Code } from "./code.ts";
import { InputQuestion } from "./question.ts";

const stateWords: Readonly<Record<PageCellState, string>> = {
  ...{ queued: "waiting", running: "running", ok: "done", error: "error", timeout: "timed out" },
  ...{ cancelled: "interrupted", failed: "failed", skipped: "skipped" },
};

/** A cell: its code, the client that ran it, its outputs in order. */
export function CellView({ cell, session }: { readonly cell: LiveCell; readonly session: OpenSession }) {
  const head = cell.head.value;
  const isOpen = head.state === "queued" || head.state === "running";
  return html`
    <article class=${`cell ${head.state}${head.undone === null ? "" : " undone"}`} aria-label=${labelOf(head)}>
      <header class="cell-head">
        <span class="count">${head.count === null ? (isOpen ? "[*]" : "[ ]") : `[${head.count}]`}</span>
        <span class="by">${head.by}</span>
        ${head.title !== null && html`<span class="cell-title">${head.title}</span>`}
        <span class="state">${stateWords[head.state]}</span>
        ${head.undone !== null && html`<span class="undone-mark">${head.undone}</span>`}
        <${Duration} head=${head} />
        ${isOpen && html`<button class="quiet" onClick=${() => session.interrupt(cell.id)}>${head.state === "queued" ? "Remove" : "Interrupt"}</button>`}
      </header>
      <${Code} code=${head.code} />
      <${Outputs} cell=${cell} artifact=${head.artifact} />
      ${head.notice !== null && html`<p class="notice">${head.notice}</p>`}
      ${head.question !== null && html`<${InputQuestion} cell=${head} session=${session} />`}
    </article>`;
}

function Outputs({ cell, artifact }: { readonly cell: LiveCell; readonly artifact: string | null }) {
  const outputs = cell.outputs.value;
  if (outputs.length === 0) return null;
  const isLive = cell.head.value.state === "running";
  const isCut = outputs.some((output) => output.kind === "text" && output.omitted !== null);
  return html`
    <div class="outputs">
      ${outputs.map((output, index) => html`<${Output} key=${index} output=${output} isLive=${isLive} />`)}
      ${isCut && artifact !== null && html`<${WholeOutput} artifact=${artifact} />`}
    </div>`;
}

/** Counts up while the cell runs. */
function Duration({ head }: { readonly head: CellHead }) {
  const { durationMs, startedAt } = head;
  if (durationMs !== null) return html`<span class="duration">${sayElapsed(durationMs)}</span>`;
  if (startedAt === null || now.value - startedAt < 1000) return null;
  return html`<span class="duration">${sayElapsed(now.value - startedAt)}</span>`;
}

function labelOf({ count, by, state, undone }: CellHead): string {
  return `Cell ${count ?? ""} by ${by}, ${stateWords[state]}${undone === null ? "" : `, ${undone}`}`;
}
