import { CellOutputs, type Shown, shown } from "../../execute/cell-outputs.ts";
import type { KernelEvent } from "../../kernel/events.ts";
import type { Verdict } from "../../session/cell-verdict.ts";
import { jsonCell } from "./json-cell.ts";
import { type JsonDocument, skippedCell } from "./json-document.ts";
import type { Report, ReportOptions, RunEnd } from "./report.ts";
import type { Surroundings } from "./surroundings.ts";
import { write } from "./write.ts";

/** Keeps everything until the end, then prints one document on stdout; sentences for people go to stderr. */
export class JsonReport implements Report {
  readonly #surroundings: Surroundings;
  readonly #pictureFolder: string;
  readonly #outputs: CellOutputs[] = [];
  readonly #verdicts: Verdict[] = [];
  #background = "";

  constructor({ surroundings, pictureFolder }: ReportOptions) {
    this.#surroundings = surroundings;
    this.#pictureFolder = pictureFolder;
  }

  cellBegins(): void {
    this.#outputs.push(new CellOutputs());
  }

  take(event: KernelEvent): void {
    if (event.type === "display" && event.update && this.#update(shown(event))) return;
    this.#outputs.at(-1)?.take(event);
  }

  background(text: string): void {
    this.#background += text;
  }

  cellEnds(verdict: Verdict): void {
    this.#verdicts.push(verdict);
  }

  note(sentence: string): Promise<void> {
    return write(this.#surroundings.stderr, `${sentence}\n`);
  }

  async runEnds(end: RunEnd): Promise<void> {
    const document = await this.#document(end);
    await write(this.#surroundings.stdout, `${JSON.stringify(document)}\n`);
  }

  /** A later cell may update what an earlier one displayed. */
  #update(update: Shown): boolean {
    const updated = this.#outputs.filter((outputs) => outputs.update(update));
    return updated.length > 0;
  }

  async #document({ status, error, kernel, skippedCells }: RunEnd): Promise<JsonDocument> {
    const ran = await Promise.all(
      this.#verdicts.map((verdict, index) => jsonCell(this.#outputs[index]?.all ?? [], verdict, this.#pictureFolder)),
    );
    return {
      status,
      error,
      cells: [...ran, ...Array(skippedCells).fill(skippedCell)],
      background: this.#background,
      kernel: kernel && {
        backend: kernel.info.backend,
        python: kernel.info.version,
        executable: kernel.info.executable,
        generation: 1,
        state: kernel.state,
      },
    };
  }
}
