import { useSignal } from "@preact/signals";
import { html } from "../html.ts";
import type { OpenSession } from "../state/open-session.ts";

/** A place to run a cell. */
export function CellComposer({ session }: { readonly session: OpenSession }) {
  const code = useSignal("");
  const problem = useSignal("");
  const run = (event: Event): void => {
    event.preventDefault();
    const text = code.value;
    if (text.trim() === "") return;
    code.value = "";
    problem.value = "";
    session.run(text).catch((error: Error) => {
      code.value = text;
      problem.value = error.message;
    });
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && (event.shiftKey || event.ctrlKey || event.metaKey)) run(event);
  };
  return html`
    <form class="composer" onSubmit=${run}>
      <textarea aria-label="Code of a new cell" rows=${Math.min(12, code.value.split("\n").length + 1)} spellcheck="false"
        placeholder="Run Python in this session (Shift+Enter)" value=${code.value}
        onInput=${(event: InputEvent) => {
          code.value = (event.currentTarget as HTMLTextAreaElement).value;
        }} onKeyDown=${onKey}></textarea>
      <button class="primary">Run</button>
      <p class="problem" role="alert">${problem.value}</p>
    </form>`;
}
