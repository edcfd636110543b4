import { useSignal } from "@preact/signals";
import { PythonEditor } from "../editor/editor.ts";
import { html } from "../html.ts";
import type { OpenSession } from "../state/open-session.ts";

/** A place to run a cell. */
export function CellComposer({ session }: { readonly session: OpenSession }) {
  const code = useSignal("");
  const problem = useSignal("");
  const run = (): void => {
    const text = code.value;
    if (text.trim() === "") return;
    code.value = "";
    problem.value = "";
    session.run(text).catch((error: Error) => {
      code.value = text;
      problem.value = error.message;
    });
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    run();
  };
  return html`
    <form class="composer" onSubmit=${submit}>
      <${PythonEditor} code=${code} label="Code of a new cell" placeholder="Run Python (Shift+Enter)" onRun=${run}
        earlier=${() => session.cells.value.map(({ head }) => head.value.code)}
        complete=${session.complete} inspect=${session.inspect} />
      <button class="primary">Run</button>
      <p class="problem" role="alert">${problem.value}</p>
    </form>`;
}
