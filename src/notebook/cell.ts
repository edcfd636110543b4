import { closeBracket, openBracket } from "../support/json/bytes.ts";
import type { ObjectText } from "../support/json/object-text.ts";
import { isJsonObject } from "../support/json/parse.ts";
import { JsonScanner } from "../support/json/scanner.ts";
import type { JsonObject, JsonValue } from "../support/json/value.ts";

export const cellTypes = ["code", "markdown", "raw"] as const;
export type CellType = (typeof cellTypes)[number];
/** A notebook may have cells of a type that nbformat 4 does not define. Granary shows and keeps them, but neither runs nor edits them. */
export type FoundCellType = CellType | "unknown";

/** One cell as it is in the file. Members are read from the bytes on access and not cached. */
export class NotebookCell {
  private held: ObjectText | (() => ObjectText);

  /** @param json an object that `checkCell` has accepted, or that Granary wrote; or a function that reads it, once */
  constructor(json: ObjectText | (() => ObjectText)) {
    this.held = json;
  }

  get json(): ObjectText {
    if (typeof this.held === "function") this.held = this.held();
    return this.held;
  }

  get type(): FoundCellType {
    return foundCellType(this.json.get("cell_type"));
  }

  get source(): string {
    return joined(this.json.get("source"));
  }

  /** Null before nbformat 4.5, which has no ids. */
  get id(): string | null {
    const id = this.json.get("id");
    return typeof id === "string" ? id : null;
  }

  get metadata(): JsonObject {
    const metadata = this.json.get("metadata");
    return isJsonObject(metadata) ? metadata : {};
  }

  get tags(): readonly string[] {
    const { tags } = this.metadata;
    return Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [];
  }

  /** In the form that the file has: text may be a string or a list of lines. */
  get outputs(): readonly JsonObject[] {
    const outputs = this.json.get("outputs");
    return Array.isArray(outputs) ? outputs.filter(isJsonObject) : [];
  }

  get hasOutputs(): boolean {
    const span = this.json.spanOf("outputs");
    if (span === null || this.json.bytes[span.valueStart] !== openBracket) return false;
    return new JsonScanner(this.json.bytes, span.valueStart + 1).peek() !== closeBracket;
  }

  get executionCount(): number | null {
    const count = this.json.get("execution_count");
    return typeof count === "number" ? count : null;
  }
}

export function foundCellType(type: JsonValue | undefined): FoundCellType {
  return cellTypes.find((known) => known === type) ?? "unknown";
}

/** nbformat's multi-line text: one string, or a list of them. */
export function joined(text: JsonValue | undefined): string {
  // A list within the list is not text, and joining would recurse.
  if (Array.isArray(text)) return text.map((line) => (typeof line === "object" ? "" : line)).join("");
  return typeof text === "string" ? text : "";
}
