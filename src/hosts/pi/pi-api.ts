/**
 * The part of pi's extension API that Granary uses; it is the same from pi 0.74 to 1.x. Declared here instead of
 * imported: pi brings its own version of every package, and an extension needs none of them.
 */
export interface PiApi {
  on(event: "session_start", handler: (event: unknown, context: PiContext) => Promise<void>): void;
  on(event: "session_shutdown", handler: () => Promise<void>): void;
  on(event: "tool_result", handler: (event: { readonly toolCallId: string }) => PiPatch | undefined): void;
  registerTool(tool: PiTool): void;
  registerFlag(name: string, flag: { readonly description: string; readonly type: "boolean" }): void;
  getFlag(name: string): boolean | string | undefined;
  /** The names of the model's tools. A pi without these two does not let extensions choose. */
  getActiveTools?(): readonly string[];
  setActiveTools?(names: readonly string[]): void;
}

/** Changes to a result. */
interface PiPatch {
  readonly isError: boolean;
}

export interface PiContext {
  readonly cwd: string;
  /** Whether a person can be asked. */
  readonly hasUI: boolean;
  readonly ui: {
    notify(message: string, type?: "info" | "warning" | "error"): void;
    /** Undefined when the person declines. */
    input(title: string, placeholder?: string, options?: { signal?: AbortSignal }): Promise<string | undefined>;
  };
  readonly sessionManager: {
    getSessionId?(): string | undefined;
    getSessionFile?(): string | undefined;
  };
}

export interface PiTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly promptSnippet: string;
  /** Sentences for the system prompt while the tool is active. */
  readonly promptGuidelines?: readonly string[];
  /** JSON Schema. */
  readonly parameters: object;
  execute(
    toolCallId: string,
    input: unknown,
    signal: AbortSignal | undefined,
    onUpdate: ((update: PiResult) => void) | undefined,
    context: PiContext,
  ): Promise<PiResult>;
  renderCall(input: unknown, theme: PiTheme, row: PiRow): PiComponent;
  renderResult(
    result: PiResult,
    options: { readonly expanded: boolean; readonly isPartial: boolean },
    theme: PiTheme,
    row: PiRow,
  ): PiComponent;
}

export interface PiResult {
  readonly content: readonly PiContent[];
  readonly details: unknown;
}

export type PiContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string };

/** The context that renders a tool's call and result. */
export interface PiRow {
  readonly expanded: boolean;
  readonly executionStarted: boolean;
  readonly isError: boolean;
  /** Requests another render. */
  invalidate(): void;
}

export interface PiComponent {
  render(width: number): string[];
  invalidate(): void;
}

export interface PiTheme {
  fg(color: string, text: string): string;
  bold(text: string): string;
  italic(text: string): string;
  strikethrough?(text: string): string;
}
