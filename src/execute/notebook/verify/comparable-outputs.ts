import { joined, type NotebookCell } from "../../../notebook/cell.ts";
import { asOutput, isJsonMime, type NotebookOutput } from "../../../notebook/output.ts";
import { htmlLimits, htmlToMarkdown } from "../../../output/html/html-to-markdown.ts";
import { sanitize } from "../../../output/text/sanitize.ts";
import { jsonText } from "../../../support/json/deep-json.ts";
import type { JsonObject, JsonValue } from "../../../support/json/value.ts";
import { comparableText, type Tolerance, usualTolerance } from "./comparable-text.ts";

/** A line of a cell's outputs that differs; null stands for no line. */
export interface OutputDifference {
  readonly was: string | null;
  readonly is: string | null;
}

/** The first line that differs between two versions of a cell; null when they show the same. */
export function outputDifference(
  before: NotebookCell,
  after: NotebookCell,
  ignore: readonly RegExp[] = [],
): OutputDifference | null {
  // Many are equal to the last byte, and some of those are long.
  if (outputBytes(before).equals(outputBytes(after))) return null;
  const tolerance = { ignore, ids: /\bid\(/.test(before.source) };
  const stored = coalesced(outputsOf(before));
  const was = comparableOutputs(stored, tolerance);
  const is = comparableOutputs(inFormsOf(stored, coalesced(outputsOf(after))), tolerance);
  const length = Math.max(was.length, is.length);
  for (let at = 0; at < length; at++) {
    if (unlabelled(was[at]) !== unlabelled(is[at])) return { was: was[at] ?? null, is: is[at] ?? null };
  }
  return null;
}

/** A session's history has only the text of a table that was shown to a model or in a terminal: its HTML was never made. */
function inFormsOf(stored: readonly NotebookOutput[], outputs: readonly NotebookOutput[]): readonly NotebookOutput[] {
  return outputs.map((output, index) => {
    const before = stored[index];
    if (before === undefined || !("data" in before) || !("data" in output)) return output;
    const { "text/plain": text } = output.data;
    const isTextOnly = Object.keys(before.data).join() === "text/plain";
    return isTextOnly && text !== undefined ? { ...output, data: { "text/plain": text } } : output;
  });
}

/** Whether a bundle is a display or the result depends on the version of its library: plotly displays what others return. */
function unlabelled(line: string | undefined): string | undefined {
  return line?.replace(/^result: /, "display: ");
}

function outputBytes({ json }: NotebookCell): Buffer {
  const span = json.spanOf("outputs");
  return json.bytes.subarray(span?.valueStart ?? 0, span?.valueEnd ?? 0);
}

function outputsOf(cell: NotebookCell): readonly NotebookOutput[] {
  return cell.outputs.map(asOutput).filter((output) => output !== null);
}

/**
 * Outputs as lines that are equal for two runs with the same effect: without values that change with every run, such as
 * memory addresses, times, temporary folders and prompt numbers. Exceptions are compared by name and message only,
 * because tracebacks depend on the versions of all libraries.
 */
export function comparableOutputs(
  outputs: readonly NotebookOutput[],
  tolerance: Tolerance = usualTolerance,
): readonly string[] {
  return coalesced(outputs).flatMap((output) => comparable(output, tolerance).split("\n"));
}

function comparable(output: NotebookOutput, tolerance: Tolerance): string {
  switch (output.output_type) {
    case "stream":
      return `${output.name}: ${comparableText(asShown(joined(output.text)), tolerance).replace(/\n$/, "")}`;
    case "display_data":
      return `display: ${comparableData(output.data, tolerance)}`;
    case "execute_result":
      return `result: ${comparableData(output.data, tolerance)}`;
    case "error":
      return `error: ${failedScript(output) ?? `${output.ename}: ${comparableText(output.evalue, tolerance)}`}`;
  }
}

/** A `%%bash` that failed: IPython's exception has the whole script in its message, Granary's has the magic. */
function failedScript({ ename, evalue }: Extract<NotebookOutput, { output_type: "error" }>): string | null {
  const status = failures.get(ename)?.exec(evalue)?.[1];
  return status === undefined ? null : `CalledProcessError: exit status ${status}`;
}

const failures: ReadonlyMap<string, RegExp> = new Map([
  ["CalledProcessError", /^Command 'b['"][\s\S]*' returned non-zero exit status (\d+)\.$/],
  ["CommandFailed", /^%%\w+ ended with exit code (\d+)$/],
]);

/** Only text with cursor movements needs a terminal. */
function asShown(text: string): string {
  return /[^\P{Cc}\n\t]/u.test(text) ? sanitize(text) : text;
}

function comparableData(data: JsonObject, tolerance: Tolerance): string {
  const table = tableIn(data);
  if (table !== null) return `table ${comparableText(table, tolerance)}`;
  const mimes = Object.keys(data).sort();
  return mimes.map((mime) => `${mime} ${comparableText(textOf(mime, data[mime] ?? null), tolerance)}`).join("\n");
}

/** A data frame is compared by its cells; markup, style and text width change with every version of pandas. */
function tableIn(data: JsonObject): string | null {
  const html = data["text/html"];
  if (html === undefined || html === null) return null;
  const text = joined(html);
  if (!/<table\b/i.test(text)) return null;
  const { markdown, complete } = htmlToMarkdown(text, wholeTables);
  return complete ? markdown : null;
}

const wholeTables = { ...htmlLimits, rows: 10_000, columns: 1_000, cellCharacters: 10_000, characters: 10_000_000 };

function textOf(mime: string, value: JsonValue): string {
  return isJsonMime(mime) ? jsonText(value) : joined(value).replace(/\n$/, "");
}

/** Joins neighbouring chunks of a stream: their number has no meaning. */
function coalesced(outputs: readonly NotebookOutput[]): readonly NotebookOutput[] {
  const joinedUp: NotebookOutput[] = [];
  for (const output of outputs) {
    const last = joinedUp.at(-1);
    if (output.output_type === "stream" && last?.output_type === "stream" && last.name === output.name) {
      joinedUp[joinedUp.length - 1] = { ...last, text: joined(last.text) + joined(output.text) };
    } else joinedUp.push(output);
  }
  return joinedUp;
}
