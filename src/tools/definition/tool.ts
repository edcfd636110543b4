import type { z } from "zod";
import type { ExecuteOptions } from "../../kernel/kernel.ts";
import type { ProgressBar } from "../../output/progress-bars.ts";

/** Something an agent may call. A host (MCP, pi, the bridge) makes of it what is a tool there. */
export interface Tool<Details extends object = object> {
  readonly name: string;
  /** For people who see a list of tools. */
  readonly title: string;
  /** For a model: short, and with an example. */
  readonly description: string;
  readonly inputSchema: z.ZodObject;
  /** Of `structured` in the results. */
  readonly outputSchema: z.ZodObject;
  readonly hints: ToolHints;
  /** Checks the input first. Never rejects: what went wrong is a result, and its text begins with `Error: `. */
  run(input: unknown, call?: ToolCall<Details>): Promise<ToolResult<Details>>;
}

/** What a host may tell its user before a call. */
export interface ToolHints {
  /** Changes nothing that was there before. */
  readonly readOnly: boolean;
  /** May delete or overwrite something. Only said of tools that are not `readOnly`. */
  readonly destructive: boolean;
  /** Calling it twice with the same input is like calling it once. */
  readonly idempotent: boolean;
  /** Reaches beyond this machine, or may. */
  readonly openWorld: boolean;
}

/** What a host hands along with the input of one call. */
export interface ToolCall<Details extends object = object> {
  /** Aborting ends the work, and the result says so. */
  readonly signal?: AbortSignal | undefined;
  /** Is told while the tool works, at most a few times a second. */
  readonly onUpdate?: ((update: ToolUpdate<Details>) => void) | undefined;
  /** Answers `input()` of code that runs; without it nobody can. */
  readonly answer?: ExecuteOptions["answer"];
}

export interface ToolUpdate<Details extends object = object> {
  /** The last of the output so far. */
  readonly text: string;
  readonly details: Details;
  /** The progress bars that are under way. */
  readonly bars?: readonly ProgressBar[] | undefined;
}

export interface ToolResult<Details extends object = object> {
  /** For the model, in order. */
  readonly content: readonly ToolContent[];
  readonly isError: boolean;
  /** What the call was about and how it went, for a host that shows it; null when it came to nothing and only the text says why. */
  readonly details: Details | null;
  /** The same for programs behind a wire: short, without what `content` says already. */
  readonly structured: Readonly<Record<string, unknown>>;
}

export type ToolContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly base64: string; readonly mimeType: string }
  /** Where there is more: an artifact (`artifact://…`) or a file (`file://…`). */
  | { readonly type: "link"; readonly uri: string; readonly name: string; readonly mimeType: string | null };
