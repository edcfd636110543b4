import type {
  BashDetails,
  CodeDetails,
  EditFileDetails,
  ExecutionsDetails,
  NotebookDetails,
  ReadDetails,
  WriteDetails,
} from "../tools/definition/details.ts";
import { previewLines } from "./lines/preview-lines.ts";
import { RenderCache } from "./render-cache.ts";
import { renderBashBlock } from "./results/bash-result.ts";
import { renderCodeResult } from "./results/code-result.ts";
import { renderExecutions } from "./results/executions-result.ts";
import { renderEditResult, renderReadResult, renderWriteResult } from "./results/file-results.ts";
import { renderNotebookResult } from "./results/notebook-result.ts";
import { renderErrorResult, renderPlainResult } from "./results/plain-result.ts";
import type { ShownResult } from "./results/result.ts";
import type { ViewOptions } from "./view-options.ts";

/** A tool's result, final or partial. A final result is rendered once per width. */
export function renderResult(tool: string, result: ShownResult, options: ViewOptions): readonly string[] {
  const render = (): readonly string[] => renderAnew(tool, result, options);
  return result.isPartial || result.details === null ? render() : cache.lines(result.details, options, render);
}

const cache = new RenderCache();

/** Details name their tool; the result of another tool of the same name, or of none, is shown as the model reads it. */
function renderAnew(tool: string, result: ShownResult, options: ViewOptions): readonly string[] {
  const { details } = result;
  const code = { ...options, previewLines };
  switch (tool) {
    case "python":
    case "eval":
      if (has<CodeDetails>(details, "cells")) return renderCodeResult(details, options);
      break;
    case "bash":
      if (has<BashDetails>(details, "command", "output")) return renderBashBlock(details, code);
      break;
    case "notebook":
      if (has<NotebookDetails>(details, "action", "path")) return renderNotebookResult(details, result, options);
      break;
    case "read":
      if (has<ReadDetails>(details, "path", "text", "form")) return renderReadResult(details, code);
      break;
    case "edit":
      if (has<EditFileDetails>(details, "path", "diff")) return renderEditResult(details, code);
      break;
    case "write":
      if (has<WriteDetails>(details, "path", "bytes")) return renderWriteResult(details, code);
      break;
    case "executions":
      if (has<ExecutionsDetails>(details, "executions")) return renderExecutions(details, options);
      break;
  }
  return result.isError ? renderErrorResult(result, options) : renderPlainResult(result, options);
}

function has<Details extends object>(details: object | null, ...names: (keyof Details & string)[]): details is Details {
  return details !== null && names.every((name) => name in details);
}
