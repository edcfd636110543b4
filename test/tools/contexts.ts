import type { RuntimeOptions } from "../../src/runtime/runtime-options.ts";
import type { SettingsOverrides } from "../../src/settings/settings.ts";
import { createToolContext, type ToolContext, type ToolContextOptions } from "../../src/tools/context/tool-context.ts";
import { startingFolder } from "../../src/tools/context/working-folder.ts";
import type { ToolContent, ToolResult } from "../../src/tools/definition/tool.ts";
import { runtimeIn } from "../runtime/runtimes.ts";

export interface Choices extends Omit<ToolContextOptions, "runtime"> {
  readonly python?: SettingsOverrides["python"];
  readonly runtimeOptions?: RuntimeOptions;
}

/** A tool context with its own runtime, which ends with it: `await using context = await contextIn(folder)`. */
export async function contextIn(folder: string, choices: Choices = {}): Promise<ToolContext & AsyncDisposable> {
  const { python, runtimeOptions, ...options } = choices;
  const granary = await runtimeIn(folder, python, runtimeOptions);
  const all = { runtime: granary, ...options };
  const context = createToolContext({ ...all, ...(await startingFolder(all)) });
  const close = async (): Promise<void> => {
    await context.close();
    await granary.close();
  };
  return { ...context, [Symbol.asyncDispose]: close };
}

/** The model's text, before and after pictures. */
export function textOf(result: ToolResult): string {
  return contentOf(result, "text")
    .map(({ text }) => text)
    .join("\n");
}

export function contentOf<Type extends ToolContent["type"]>(
  { content }: ToolResult,
  type: Type,
): readonly Extract<ToolContent, { type: Type }>[] {
  return content.filter((part): part is Extract<ToolContent, { type: Type }> => part.type === type);
}
