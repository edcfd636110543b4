import type { z } from "zod";
import type { ExecuteOptions } from "../../kernel/kernel.ts";
import type { ProgressBar } from "../../output/progress-bar.ts";

/** A function that an agent may call. Each host (MCP, pi, the bridge) converts it to its own kind of tool. */
export interface Tool<Details extends object = object> {
  readonly name: string;
  /** For people who see a list of tools. */
  readonly title: string;
  /** For a model: short, and with an example. */
  readonly description: string;
  readonly inputSchema: z.ZodObject;
  /** The schema of `structured` in the results. */
  readonly outputSchema: z.ZodObject;
  readonly hints: ToolHints;
  /** Checks the input first. Never rejects: a failure is a result, and its text begins with `Error: `. */
  run(input: unknown, call?: ToolCall<Details>): Promise<ToolResult<Details>>;
}

/** Hints that a host may show before a call. */
export interface ToolHints {
  /** Changes nothing that existed before. */
  readonly readOnly: boolean;
  /** May delete or overwrite something. Only set for tools that are not `readOnly`. */
  readonly destructive: boolean;
  /** Calling it twice with the same input has the effect of one call. */
  readonly idempotent: boolean;
  /** Reaches beyond this machine, or may. */
  readonly openWorld: boolean;
}

/** Context that a host passes with one call. */
export interface ToolCall<Details extends object = object> {
  /** Aborting ends the work, and the result says so. */
  readonly signal?: AbortSignal | undefined;
  /** Called while the tool works, at most a few times a second. */
  readonly onUpdate?: ((update: ToolUpdate<Details>) => void) | undefined;
  /** Answers `input()` of running code; without it, `input()` fails. */
  readonly answer?: ExecuteOptions["answer"];
}

export interface ToolUpdate<Details extends object = object> {
  /** The end of the output so far. */
  readonly text: string;
  readonly details: Details;
  /** The open progress bars. */
  readonly bars?: readonly ProgressBar[] | undefined;
}

export interface ToolResult<Details extends object = object> {
  /** For the model, in order. */
  readonly content: readonly ToolContent[];
  readonly isError: boolean;
  /** The call's subject and outcome, for a host that shows it; null when it failed and only the text says why. */
  readonly details: Details | null;
  /** The same for programs behind a wire: short, without what `content` has already. */
  readonly structured: Readonly<Record<string, unknown>>;
}

export type ToolContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly base64: string; readonly mimeType: string }
  /** Links to more: an artifact (`artifact://…`) or a file (`file://…`). */
  | { readonly type: "link"; readonly uri: string; readonly name: string; readonly mimeType: string | null };
