import { type Cell, joined } from "../../notebook/cell.ts";
import type { JsonObject, JsonValue } from "../../notebook/json/parse.ts";
import { asOutput, isJsonMime, type NotebookOutput } from "../../notebook/output.ts";
import { sanitize } from "../../output/sanitize.ts";
import { jsonText } from "../../support/deep-json.ts";

/** A line of a cell's outputs that is not what it was; null stands for no line at all. */
export interface OutputDifference {
  readonly was: string | null;
  readonly is: string | null;
}

/** The first line in which two versions of a cell show something else; null when they show the same. */
export function outputDifference(before: Cell, after: Cell): OutputDifference | null {
  // Many are the same to the last byte, and some of those are long.
  if (outputBytes(before).equals(outputBytes(after))) return null;
  const was = comparableOutputs(outputsOf(before));
  const is = comparableOutputs(outputsOf(after));
  const length = Math.max(was.length, is.length);
  for (let at = 0; at < length; at++) {
    if (was[at] !== is[at]) return { was: was[at] ?? null, is: is[at] ?? null };
  }
  return null;
}

function outputBytes({ json }: Cell): Buffer {
  const span = json.spanOf("outputs");
  return json.bytes.subarray(span?.valueStart ?? 0, span?.valueEnd ?? 0);
}

function outputsOf(cell: Cell): readonly NotebookOutput[] {
  return cell.outputs.map(asOutput).filter((output) => output !== null);
}

/**
 * Outputs as lines that are the same for two runs that did the same: without what differs from run to run, such as
 * memory addresses, times, temporary folders and prompt numbers. Of an exception only its name and message count,
 * because how a traceback looks depends on the version of everything.
 */
export function comparableOutputs(outputs: readonly NotebookOutput[]): readonly string[] {
  return coalesced(outputs).flatMap((output) => comparable(output).split("\n"));
}

/** Text without what differs from run to run. */
export function comparableText(text: string): string {
  return changeable.reduce((changed, [pattern, replacement]) => changed.replace(pattern, replacement), text);
}

/** Of a limited length: a long list of numbers would be tried from each of them to its end. */
const number = "\\d{1,15}(?:[.,]\\d{1,15}){0,6}";
const unit = "(?:ns|[µμu]s|ms|s|secs?|seconds?|mins?|minutes?|h|hours?)";

const changeable: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\b0x[0-9a-fA-F]{6,}\b/g, "0x…"],
  [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, "…uuid…"],
  [/\b[0-9a-f]{32}\b/g, "…id…"],
  [/(?:\/private)?(?:\/tmp|\/var\/tmp|\/var\/folders\/\w+\/\w+\/T)\/[^\s"'<>:,)]+/g, "/tmp/…"],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g, "…time…"],
  [/\b\d{1,2}:\d\d:\d\d(?:\.\d+)?\b/g, "…time…"],
  [new RegExp(`\\b${number} ?${unit}\\b`, "g"), "…duration…"],
];

function comparable(output: NotebookOutput): string {
  switch (output.output_type) {
    case "stream":
      return `${output.name}: ${comparableText(asShown(joined(output.text))).replace(/\n$/, "")}`;
    case "display_data":
      return `display: ${comparableData(output.data)}`;
    case "execute_result":
      return `result: ${comparableData(output.data)}`;
    case "error":
      return `error: ${output.ename}: ${comparableText(output.evalue)}`;
  }
}

/** Only what moves about in its lines has to be played to a terminal. */
function asShown(text: string): string {
  return /[^\P{Cc}\n\t]/u.test(text) ? sanitize(text) : text;
}

function comparableData(data: JsonObject): string {
  const mimes = Object.keys(data).sort();
  return mimes.map((mime) => `${mime} ${comparableText(textOf(mime, data[mime] ?? null))}`).join("\n");
}

function textOf(mime: string, value: JsonValue): string {
  return isJsonMime(mime) ? jsonText(value) : joined(value).replace(/\n$/, "");
}

/** Whether a stream came in one piece or in several says nothing. */
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
