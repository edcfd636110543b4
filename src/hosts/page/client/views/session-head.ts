import { sayBytes } from "../../../../output/text/say-size.ts";
import type { PageSession } from "../../api/sessions.ts";
import { html } from "../html.ts";
import type { OpenSession } from "../state/open-session.ts";
import { restartPython } from "../state/restart.ts";
import { listAddress, notebooksAddress } from "../state/route.ts";
import { StateMark } from "./state-mark.ts";

/** The name of the session, what it is doing, and what one can do with it. */
export function SessionHead({ session, facts }: { readonly session: OpenSession; readonly facts: PageSession }) {
  const { name, folder, state, kernel, sandbox, clients } = facts;
  const stop = (): void => {
    if (confirm(`Stop the session ${name}? Its variables are lost; its cells stay in the history.`)) {
      void session.stop().then(() => location.assign(listAddress));
    }
  };
  const restart = async (): Promise<void> => {
    const said = await restartPython(session.id, name);
    if (said !== null) alert(said);
  };
  return html`
    <header class="session-head">
      <h1>${name}</h1>
      <${StateMark} state=${state} />
      <span class="facts">
        <span class="folder">${folder}</span>
        ${kernel !== null && html`<span title=${kernel.executable}>Python ${kernel.version}</span>`}
        ${sandbox !== null && html`<span>sandbox: ${sandbox}</span>`}
        ${kernel !== null && kernel.memoryBytes > 0 && html`<span>${sayBytes(kernel.memoryBytes)}</span>`}
        ${clients.map((client) => html`<span class="client">${client}</span>`)}
        <a href=${notebooksAddress(session.id)}>Notebooks</a>
      </span>
      <span class="actions">
        <button onClick=${() => session.interrupt()} disabled=${state !== "busy"}>Interrupt</button>
        <button onClick=${() => void saveAsNotebook(session, name)}>Save…</button>
        <button onClick=${restart}>Restart…</button>
        <button onClick=${stop}>Stop</button>
      </span>
    </header>`;
}

/** The history as a notebook, in the folder of the session. */
async function saveAsNotebook(session: OpenSession, name: string): Promise<void> {
  const file = prompt("Save the cells of this session as a notebook in its folder:", `${name}.ipynb`);
  if (file === null) return;
  const save = (overwrite: boolean): Promise<{ readonly said: string }> => session.post("save", { file, overwrite });
  try {
    const { said } = await save(false).catch((error: Error) => {
      if (!error.message.includes("exists already") || !confirm(`${error.message} Overwrite it?`)) throw error;
      return save(true);
    });
    alert(said);
  } catch (error) {
    alert((error as Error).message);
  }
}
