import { joined, type NotebookCell } from "../../../notebook/cell.ts";
import { asOutput } from "../../../notebook/output.ts";
import { jsonLength } from "../../../support/json/deep-json.ts";
import { isJsonObject } from "../../../support/json/parse.ts";
import type { JsonObject } from "../../../support/json/value.ts";
import type { Json, PageOutput, TextOutput } from "../api/cells.ts";
import type { PageNotebookCell } from "../api/notebooks.ts";
import { pageOutput } from "../feed/past-cell.ts";
import { revisionOf } from "./keyed-cells.ts";

/** In characters: larger forms of a display stay out of the page. */
const largestForm = 5_000_000;
const shortText = 1000;
/** Outputs of a cell beyond these are counted. */
const mostOutputs = 200;

/** The characters that one event may still take. Forms beyond it stay out of the page. */
export interface FormBudget {
  left: number;
}

/** Less than a reader may be behind. */
export const newBudget = (): FormBudget => ({ left: 12_000_000 });

/** A cell as the page shows it, with its stored outputs. */
export function shownCell(key: string, cell: NotebookCell, budget: FormBudget): PageNotebookCell {
  const { type, source, executionCount: count } = cell;
  const attachments = type === "code" ? {} : shownAttachments(cell, budget);
  return { key, type, source, revision: revisionOf(cell), count, outputs: shownOutputs(cell, budget), attachments };
}

/** Types that a browser shows as a picture and never as a document. */
const pictureTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"];

function shownAttachments({ json }: NotebookCell, budget: FormBudget): Readonly<Record<string, string>> {
  const stored = json.get("attachments");
  if (!isJsonObject(stored)) return {};
  const shown: Record<string, string> = {};
  for (const [name, forms] of Object.entries(stored)) {
    const type = isJsonObject(forms) ? pictureTypes.find((known) => forms[known] !== undefined) : undefined;
    if (type === undefined) continue;
    const content = joined((forms as JsonObject)[type]).replaceAll(/\s+/g, "");
    if (content.length > Math.min(largestForm, budget.left)) continue;
    budget.left -= content.length;
    shown[name] = `data:${type};base64,${content}`;
  }
  return shown;
}

function shownOutputs(cell: NotebookCell, budget: FormBudget): readonly PageOutput[] {
  if (!cell.hasOutputs) return [];
  const stored = cell.outputs.map(asOutput).filter((output) => output !== null);
  const shown = stored.slice(0, mostOutputs).map((output) => withinBudget(pageOutput(output), budget));
  const more = stored.length - shown.length;
  return more > 0 ? [...shown, leftOut(more)] : shown;
}

function withinBudget(output: PageOutput, budget: FormBudget): PageOutput {
  if (output.kind === "text") return textWithinBudget(output, budget);
  if (output.kind !== "display") return output;
  const data: Record<string, Json> = {};
  const tooLarge: Record<string, number> = {};
  for (const [type, form] of Object.entries(output.data)) {
    const length = jsonLength(form);
    if (length > largestForm || length > budget.left) tooLarge[type] = length;
    else {
      data[type] = form;
      budget.left -= length;
    }
  }
  return { ...output, data, tooLarge };
}

/** Of text beyond the budget, the beginning. */
function textWithinBudget(output: TextOutput, budget: FormBudget): TextOutput {
  const { text, omitted } = output;
  if (text.length <= Math.max(budget.left, shortText)) {
    budget.left -= text.length;
    return output;
  }
  const characters = text.length - shortText + (omitted?.characters ?? 0);
  return { ...output, text: text.slice(0, shortText), omitted: { at: shortText, characters } };
}

function leftOut(count: number): PageOutput {
  const text = `${count.toLocaleString("en")} more outputs are in the file.`;
  return { kind: "text", stream: "stderr", text, omitted: null };
}
