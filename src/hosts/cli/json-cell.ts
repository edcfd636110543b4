import type { CellOutput, Shown } from "../../execute/cell-outputs.ts";
import type { Verdict } from "../../session/cell-verdict.ts";
import type { JsonCell, JsonDisplay } from "./json-document.ts";
import { onOwnLines } from "./own-lines.ts";
import { present } from "./present.ts";

/** A cell as the JSON document tells it; saves its pictures. */
export async function jsonCell(
  outputs: readonly CellOutput[],
  verdict: Verdict,
  pictureFolder: string,
): Promise<JsonCell> {
  let text = "";
  const add = (lines: string) => {
    text += onOwnLines(lines, { afterOpenLine: text !== "" && !text.endsWith("\n") });
  };
  const displays: JsonDisplay[] = [];
  for (const output of outputs) {
    if (output.type === "stream") text += output.text;
    else if (output.type === "error") add(output.traceback.join("\n"));
    else {
      const presented = await present(output.data, pictureFolder);
      add(presented.text);
      displays.push(jsonDisplay(output, presented.pictures));
    }
  }
  const { status, error, executionCount, durationMs, stdinRequested } = verdict;
  return { status, output: text, displays, error, executionCount, durationMs, stdinRequested };
}

function jsonDisplay({ type, data, metadata }: Shown, pictures: JsonDisplay["pictures"]): JsonDisplay {
  const saved = new Set<string>(pictures.map((picture) => picture.type));
  const rest = Object.fromEntries(Object.entries(data).filter(([mimeType]) => !saved.has(mimeType)));
  return { type, data: rest, metadata, pictures };
}
