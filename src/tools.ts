export { defineTool, type ToolDefinition } from "./tools/define-tool.ts";
export type {
  BashDetails,
  CellDetails,
  CodeDetails,
  EditFileDetails,
  NotebookDetails,
  NotebookEditDetails,
  NotebookFailureDetails,
  NotebookRunDetails,
  ReadDetails,
  WriteDetails,
} from "./tools/details.ts";
export { jsonSchema } from "./tools/json-schema.ts";
export type { Tool, ToolCall, ToolContent, ToolHints, ToolResult, ToolUpdate } from "./tools/tool.ts";
export { createToolbox, type Toolbox, type ToolboxOptions } from "./tools/toolbox.ts";
