export type { EditDetails } from "./notebook/edit/edit-action.ts";
export type { DisplayPlace } from "./output/output-part.ts";
export { defineTool, type ToolDefinition } from "./tools/definition/define-tool.ts";
export type {
  BashDetails,
  CellDetails,
  CodeDetails,
  EditFileDetails,
  NotebookDetails,
  NotebookEditDetails,
  NotebookFailureDetails,
  NotebookLookDetails,
  NotebookRunDetails,
  ReadDetails,
  WriteDetails,
} from "./tools/definition/details.ts";
export { jsonSchema } from "./tools/definition/json-schema.ts";
export type { Tool, ToolCall, ToolContent, ToolHints, ToolResult, ToolUpdate } from "./tools/definition/tool.ts";
export { createToolbox, type Toolbox, type ToolboxOptions } from "./tools/toolbox.ts";
