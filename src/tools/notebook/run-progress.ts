import type { NotebookProgress } from "../../execute/notebook/notebook-run.ts";
import { sanitize } from "../../output/text/sanitize.ts";
import { tailWithin } from "../../output/text/utf8-cut.ts";
import type { NotebookRunDetails } from "../definition/details.ts";

const tailBytes = 8192;

/** The progress of a run, for listeners. */
export class RunProgress {
  readonly #about: { readonly path: string; readonly session: string };
  #place: NotebookRunDetails["progress"] = null;
  #totalCells = 0;
  #tail = "";

  constructor(about: { readonly path: string; readonly session: string }) {
    this.#about = about;
  }

  take(step: NotebookProgress): void {
    if (step.type === "text") {
      this.#tail = (this.#tail + step.text).slice(-tailBytes);
      return;
    }
    if (step.type === "waiting") {
      this.#tail = step.reason ?? "";
      return;
    }
    if (step.type === "cell-begins") this.#tail = "";
    this.#place = { number: step.number, of: step.of, cellIndex: step.cell.index };
    this.#totalCells = step.of;
  }

  now(): { readonly text: string; readonly details: NotebookRunDetails } {
    const text = tailWithin(sanitize(this.#tail), tailBytes);
    const details = {
      ...this.#about,
      action: "run",
      progress: this.#place,
      run: null,
      totalCells: this.#totalCells,
    } as const;
    return { text, details };
  }
}
