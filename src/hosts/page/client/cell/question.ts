import type { CellHead } from "../../api/cells.ts";
import { html } from "../html.ts";
import type { OpenSession } from "../state/open-session.ts";

/** A field for the answer to `input()`. */
export function InputQuestion({
  cell,
  session,
}: {
  readonly cell: Pick<CellHead, "id" | "question">;
  readonly session: Pick<OpenSession, "answer">;
}) {
  const { prompt = "", password = false } = cell.question ?? {};
  const answer = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem("answer") as HTMLInputElement;
    // Another client may have been faster.
    session.answer(cell.id, field.value).catch(() => {});
  };
  return html`
    <form class="question" onSubmit=${answer}>
      <label>${prompt.trim() === "" ? "The cell waits for input" : prompt}
        <input name="answer" type=${password ? "password" : "text"} autocomplete="off" ref=${focusOnce} />
      </label>
      <button>Answer</button>
    </form>`;
}

function focusOnce(field: HTMLInputElement | null): void {
  // Another field that the user types into keeps the focus.
  if (field !== null && document.activeElement === document.body) field.focus();
}
