import { parseSpan } from "../../src/support/json/parse.ts";
import { fixture } from "./notebooks.ts";

type Json = unknown;

/** A place in a notebook, and its new value; undefined removes it. Some of these do no harm. */
export const damages: readonly (readonly [path: string, value: Json])[] = [
  ["metadata", undefined],
  ["extra", 1],
  ["nbformat_minor", "5"],
  ["metadata.kernelspec", { name: "x" }],
  ["metadata.kernelspec", { name: "x", display_name: "X", more: [] }],
  ["metadata.language_info", { name: 3 }],
  ["metadata.language_info", { name: "x", codemirror_mode: 4 }],
  ["metadata.title", 4],
  ["metadata.authors", "me"],
  ["metadata.orig_nbformat", 0],
  ["cells.0.id", "not valid!"],
  ["cells.0.id", "x".repeat(65)],
  ["cells.0.id", undefined],
  ["cells.0.metadata", undefined],
  ["cells.0.source", undefined],
  ["cells.0.attachments", { "a.png": { "image/png": "aGk=" } }],
  ["cells.0.attachments", { "a.png": { "image/png": 1 } }],
  ["cells.0.extra", null],
  ["cells.0.outputs", undefined],
  ["cells.1.outputs", []],
  ["cells.1.outputs", {}],
  ["cells.1.execution_count", -1],
  ["cells.1.execution_count", undefined],
  ["cells.0.metadata.tags", ["a", "a"]],
  ["cells.0.metadata.tags", ["a,b"]],
  ["cells.1.metadata.tags", ["a", "b"]],
  ["cells.0.metadata.name", ""],
  ["cells.0.metadata.jupyter", 1],
  ["cells.1.metadata.collapsed", "yes"],
  ["cells.1.metadata.scrolled", "auto"],
  ["cells.1.metadata.scrolled", 1],
  ["cells.1.metadata.execution", { x: 1 }],
  ...[
    { output_type: "stream", name: "stdout", text: "x" },
    { output_type: "stream", name: 1, text: "x" },
    { output_type: "stream", name: "x", text: [1] },
    { output_type: "stream", name: "x" },
    { output_type: "display_data", data: {}, metadata: {} },
    { output_type: "display_data", data: {}, metadata: {}, transient: {} },
    { output_type: "display_data", data: { "text/plain": { a: 1 } }, metadata: {} },
    { output_type: "display_data", data: { "application/x+json": { a: 1 } }, metadata: {} },
    { output_type: "display_data", data: { "application/json": 1, "text/html": ["a", "b"] }, metadata: {} },
    { output_type: "display_data", data: {} },
    { output_type: "execute_result", data: {}, metadata: {} },
    { output_type: "execute_result", data: {}, metadata: {}, execution_count: null },
    { output_type: "execute_result", data: {}, metadata: {}, execution_count: 1.5 },
    { output_type: "error", ename: "a", evalue: "b", traceback: "c" },
    { output_type: "error", ename: "a", evalue: "b", traceback: [] },
    { output_type: "pyout" },
    { name: "x" },
    7,
  ].map((output) => ["cells.1.outputs", [output]] as const),
];

/** A fixture as JSON text, with one thing changed. */
export function damaged(name: string, path: string, value: Json): string {
  const bytes = fixture(name);
  const notebook = parseSpan(bytes, bytes.indexOf("{"), bytes.lastIndexOf("}") + 1);
  const steps = path.split(".");
  const last = steps.pop() as string;
  const parent = steps.reduce((part: Json, step) => (part as Record<string, Json>)[step], notebook) as Record<
    string,
    Json
  >;
  parent[last] = value;
  return JSON.stringify(notebook);
}
