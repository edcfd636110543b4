import { useSignal } from "@preact/signals";
import { sayBytes } from "../../../../output/text/say-size.ts";
import type { PageState } from "../../api/variables.ts";
import { html } from "../html.ts";
import { now } from "../state/clock.ts";
import type { OpenSession } from "../state/open-session.ts";
import { sessionAddress } from "../state/route.ts";
import { sayAgo } from "../text/say-ago.ts";
import { useQuestion } from "./use-question.ts";

/** Earlier states of the variables: undo the last cell, restore one, or branch off. */
export function StatesPanel({ session }: { readonly session: OpenSession }) {
  const problem = useSignal<string | null>(null);
  const done = useSignal<string | null>(null);
  const changes = useSignal(0);
  const last = session.cells.value.at(-1)?.head.value;
  const { answer } = useQuestion<{ readonly states: readonly PageState[] }>(
    (signal) => session.get("states", signal),
    [last?.id, last?.state, changes.value],
  );
  const attempt = (what: string, work: Promise<unknown>): void => {
    problem.value = null;
    done.value = null;
    work.then(
      () => {
        done.value = what;
        changes.value += 1;
      },
      (error: Error) => {
        problem.value = error.message;
      },
    );
  };
  const branch = (): void => {
    const name = prompt("Name of the branch: a new session with the variables of this one");
    if (name === null || name.trim() === "") return;
    const made = session.post<{ readonly id: string }>("branch", { name });
    attempt(
      `Made the branch ${name}.`,
      made.then(({ id }) => location.assign(sessionAddress(id))),
    );
  };
  const states = [...(answer?.states ?? [])].reverse();
  const isFirstThere = session.cells.value.some(({ head: { value } }) => value.count === 1 && value.undone === null);
  const canUndo = isFirstThere || states.some(({ isCurrent }) => !isCurrent);
  return html`
    <p class="panel-title">
      <button disabled=${!canUndo} onClick=${() => attempt("Undid the last cell.", session.post("restore", {}))}>Undo the last cell</button>
      <button onClick=${branch}>Branch…</button>
    </p>
    <p role="status" class="dim">${done.value ?? ""}</p>
    ${problem.value !== null && html`<p class="problem" role="alert">${problem.value}</p>`}
    ${answer !== null && states.length === 0 && html`<p class="hint">There is no earlier state of the variables. Checkpoints are made before cells, where python.checkpoints is on.</p>`}
    <ul class="states">${states.map(
      ({ id, cell, takenAt, heldBytes, isCurrent, execution, isUndone }) => html`
        <li key=${id}>
          <span>After cell ${cell}<span class="dim">${isUndone ? ` · ${execution}, undone` : ""} · ${sayAgo(takenAt, now.value)}${heldBytes ? ` · ${sayBytes(heldBytes)}` : ""}</span></span>
          ${
            isCurrent
              ? html`<span class="dim">now</span>`
              : html`<button onClick=${() => attempt(`Restored the variables after cell ${cell}.`, session.post("restore", { state: id }))}>Restore</button>`
          }
        </li>`,
    )}</ul>
    <p class="hint">Files on disk stay as they are.</p>`;
}
