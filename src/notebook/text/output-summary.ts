import type { JsonObject } from "../../support/json/value.ts";
import { sayCount } from "../../support/say-count.ts";
import { joined } from "../cell.ts";
import { asOutput, isJsonMime, type NotebookOutput } from "../output.ts";

/** A cell's output as text of limited length: for reading, never for writing back. */
export function summarizeOutputs(outputs: readonly JsonObject[], characters: number): string {
  const text = outputs
    .map(asOutput)
    .map((output) => (output === null ? "[an output of an unknown kind]" : describe(output)))
    .map((part) => part.replace(/\n$/, ""))
    .join("\n");
  return shortened(text, characters);
}

function describe(output: NotebookOutput): string {
  switch (output.output_type) {
    case "stream":
      return joined(output.text);
    case "display_data":
    case "execute_result":
      return describeData(output.data);
    case "error":
      return `${output.ename}: ${output.evalue}`;
  }
}

/** The most informative text, and the names of everything that is not text. */
function describeData(data: JsonObject): string {
  const text = ["text/markdown", "text/plain"].find((mime) => data[mime] !== undefined);
  const rest = Object.keys(data).filter((mime) => !mime.startsWith("text/"));
  const parts = text === undefined ? [] : [joined(data[text])];
  if (text === undefined) rest.push(...Object.keys(data).filter((mime) => mime.startsWith("text/")));
  return [...parts, ...rest.map((mime) => `[${mime}${size(mime, data)}]`)].join("\n");
}

function size(mime: string, data: JsonObject): string {
  return isJsonMime(mime) ? "" : `, ${sayCount(joined(data[mime]).length, "character")}`;
}

/** The beginning and the end, since results and errors come last. */
function shortened(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const half = Math.floor(characters / 2);
  // Never half of a surrogate pair.
  const head = text.slice(0, half).replace(/[\ud800-\udbff]$/, "");
  const tail = text.slice(text.length - half).replace(/^[\udc00-\udfff]/, "");
  return `${head}\n[${sayCount(text.length - head.length - tail.length, "character")} left out]\n${tail}`;
}
