import { ownFormsExplained } from "../../output/own-lines.ts";
import { jsonSchema } from "../../tools/definition/json-schema.ts";
import type { Tool, ToolContent, ToolResult } from "../../tools/definition/tool.ts";
import { renderCall } from "../../view/render-call.ts";
import { renderResult } from "../../view/render-result.ts";
import type { PiComponent, PiContent, PiContext, PiResult, PiRow, PiTheme, PiTool } from "./pi-api.ts";
import { themeOfPi } from "./pi-theme.ts";
import type { DrawPictures } from "./row-pictures.ts";
import { withoutPixels, withPixels } from "./stored-details.ts";

/** Lines for pi, rendered on demand and cached until something changes. */
class Lines implements PiComponent {
  readonly #make: (width: number) => readonly string[];
  #kept: { readonly width: number; readonly lines: readonly string[] } | null = null;

  constructor(make: (width: number) => readonly string[]) {
    this.#make = make;
  }

  render(width: number): string[] {
    if (this.#kept?.width !== width) this.#kept = { width, lines: this.#make(width) };
    return [...this.#kept.lines];
  }

  invalidate(): void {
    this.#kept = null;
  }
}

export interface PiToolOptions {
  /** Called when a call fails: pi learns of a failure by other means than the result. */
  onFailed(toolCallId: string): void;
  readonly pictures: DrawPictures;
}

/** One of Granary's tools as a pi tool: the same input and text, rendered by `view/`. */
export function piTool(tool: Tool, { onFailed, pictures }: PiToolOptions): PiTool {
  const options = (width: number, theme: PiTheme, row: PiRow) =>
    ({ width: Math.max(20, width), expanded: row.expanded, theme: themeOfPi(theme), expandKey: "ctrl+o" }) as const;
  return {
    name: tool.name,
    label: tool.title,
    description: tool.description,
    promptSnippet: firstSentence(tool.description),
    ...(tool.name === "python" && { promptGuidelines: [ownFormsExplained] }),
    parameters: jsonSchema(tool.inputSchema, "input"),
    async execute(toolCallId, input, signal, onUpdate, context) {
      const result = await tool.run(input, {
        signal,
        answer: answerWith(context),
        onUpdate: ({ text, details }) =>
          onUpdate?.({ content: [{ type: "text", text }], details: withoutPixels(details) }),
      });
      if (result.isError) onFailed(toolCallId);
      return toPi(result);
    },
    renderCall: (input, theme, row) =>
      new Lines((width) => {
        return renderCall(tool.name, input, { ...options(width, theme, row), answered: row.executionStarted });
      }),
    renderResult: (result, { expanded, isPartial }, theme, row) =>
      new Lines((width) => {
        const shown = {
          details: shownDetails(result),
          content: fromPi(result.content),
          isError: row.isError,
          isPartial,
        };
        return renderResult(tool.name, shown, {
          ...options(width, theme, row),
          expanded,
          now: Date.now(),
          pictures: pictures(row),
        });
      }),
  };
}

/** pi cannot hide typed text; warn the person before a password. */
function answerWith({ hasUI, ui }: PiContext) {
  if (!hasUI) return undefined;
  return async (prompt: string, password: boolean, signal: AbortSignal): Promise<string> => {
    const question = prompt.trim() === "" ? "Python asks for input" : prompt.trim();
    const answer = await ui.input(password ? `${question} (what you type can be seen)` : question, undefined, {
      signal,
    });
    if (answer === undefined) throw new Error("The question was not answered.");
    return answer;
  };
}

function toPi({ content, details }: ToolResult): PiResult {
  return { content: content.map(contentForPi), details: withoutPixels(details) };
}

function contentForPi(part: ToolContent): PiContent {
  if (part.type === "image") return { type: "image", data: part.base64, mimeType: part.mimeType };
  return part.type === "text" ? part : { type: "text", text: `${part.name}: ${part.uri}` };
}

function fromPi(content: readonly PiContent[]): readonly ToolContent[] {
  return content.map((part) =>
    part.type === "image" ? { type: "image", base64: part.data, mimeType: part.mimeType } : part,
  );
}

function shownDetails({ details, content }: PiResult): object | null {
  return details !== null && typeof details === "object" ? withPixels(details, content) : null;
}

function firstSentence(description: string): string {
  return description.split(/(?<=[.!?])\s|\n/, 1)[0] ?? description;
}
