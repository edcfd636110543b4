import { type CellOutput, CellOutputs, type ShownOutput, shownOutput } from "../../../execute/cell-outputs.ts";
import type { KernelEvent, StreamName } from "../../../kernel/events.ts";
import { Sink } from "../../../output/sink.ts";
import type { ExecutionResult } from "../../../session/execution/execution.ts";
import type { CommandContext } from "../command/command-context.ts";
import { pictureFolder } from "../command/open-runtime.ts";
import { say } from "../command/say.ts";
import { write } from "../command/write.ts";
import { jsonCell } from "./json-cell.ts";
import { type JsonDocument, skippedCell } from "./json-document.ts";
import type { Report, RunEnd } from "./report.ts";

/** Keeps everything until the end, then prints one document on stdout; sentences for people go to stderr. */
export class JsonReport implements Report {
  readonly #context: CommandContext;
  readonly #pictureFolder: string;
  readonly #outputs: CellOutputs[] = [];
  readonly #results: ExecutionResult[] = [];
  /** Output of both streams between cells, as a terminal would show it. */
  readonly #background = new Sink({ budget: backgroundBudget });

  constructor(context: CommandContext) {
    this.#context = context;
    this.#pictureFolder = pictureFolder(context.env);
  }

  runBegins(): void {}

  cellBegins(): void {
    this.#outputs.push(new CellOutputs());
  }

  /** Displays only: text is in the result, within its budget. */
  take(event: KernelEvent): void {
    if (event.type === "stream" || event.type === "error") return;
    if (event.type === "display" && event.update && this.#update(shownOutput(event))) return;
    this.#outputs.at(-1)?.take(event);
  }

  async personIsAsked(): Promise<void> {}

  background(text: string, name: StreamName): void {
    void this.#background.write(text, name);
  }

  cellEnds(result: ExecutionResult): void {
    this.#results.push(result);
  }

  note(sentence: string): Promise<void> {
    return say(this.#context.stderr, `${sentence}\n`);
  }

  async runEnds(end: RunEnd): Promise<void> {
    const document = await this.#document(end);
    await write(this.#context.stdout, `${JSON.stringify(document)}\n`);
  }

  /** A later cell may update what an earlier one displayed. */
  #update(update: ShownOutput): boolean {
    const updated = this.#outputs.filter((outputs) => outputs.update(update));
    return updated.length > 0;
  }

  async #document({
    status,
    error,
    kernel,
    skippedCells,
    exitStatus,
    unfinishedThreads,
  }: RunEnd): Promise<JsonDocument> {
    const ran = await Promise.all(
      this.#results.map((result, index) =>
        jsonCell((this.#outputs[index]?.all ?? []).filter(isShown), result, this.#pictureFolder),
      ),
    );
    const last = this.#results.at(-1);
    const skipped = last === undefined ? [] : Array(skippedCells).fill(skippedCell(last.ledger));
    return {
      status,
      error,
      cells: [...ran, ...skipped],
      background: (await this.#background.dump()).text,
      exitStatus,
      unfinishedThreads,
      kernel: kernel && {
        backend: kernel.info.backend,
        python: kernel.info.version,
        executable: kernel.info.executable,
        generation: kernel.generation,
        state: kernel.state,
      },
    };
  }
}

/** Longer background output keeps its beginning and its end. */
const backgroundBudget = { bytes: 1_000_000, headBytes: 400_000, lines: 100_000, lineBytes: 100_000 };

function isShown(output: CellOutput): output is ShownOutput {
  return output.type === "display" || output.type === "result";
}
