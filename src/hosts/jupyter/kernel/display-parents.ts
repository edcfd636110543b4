import type { JupyterHeader } from "../../../kernel/jupyter/messages/message.ts";

const remembered = 2000;

/** The cell that each display was made by: a thread may update a display long after, and clients look there. */
export class DisplayParents {
  readonly #parents = new Map<string, JupyterHeader>();

  add(displayId: string | undefined, parent: JupyterHeader): void {
    if (displayId === undefined) return;
    this.#parents.delete(displayId);
    this.#parents.set(displayId, parent);
    const [oldest] = this.#parents.keys();
    if (this.#parents.size > remembered && oldest !== undefined) this.#parents.delete(oldest);
  }

  parentOf(displayId: string | undefined): JupyterHeader | undefined {
    return displayId === undefined ? undefined : this.#parents.get(displayId);
  }
}
