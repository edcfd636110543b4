import type { BashDetails, CellDetails, CodeDetails } from "../../src/tools/definition/details.ts";
import { type ThemeOptions, themeFor } from "../../src/view/theme/theme.ts";
import type { ViewOptions } from "../../src/view/view-options.ts";

export const dark256 = themeFor({ colors: 256, background: "dark" });

export function view(options: Partial<ViewOptions> & { readonly colors?: ThemeOptions["colors"] } = {}): ViewOptions {
  const { colors, ...others } = options;
  const theme = colors === undefined ? dark256 : themeFor({ colors, background: "dark" });
  return { width: 60, expanded: false, theme, expandKey: "ctrl+o", ...others };
}

export function cell(details: Partial<CellDetails> = {}): CellDetails {
  return {
    code: "1 + 1",
    title: null,
    language: "python",
    status: "complete",
    executionId: "e1",
    startedAt: 1_000_000,
    durationMs: 40,
    executionCount: 1,
    output: "2",
    parts: [],
    error: null,
    truncation: null,
    fullOutputPath: null,
    fullOutput: null,
    totalLines: null,
    totalBytes: null,
    stdinRequested: false,
    notices: [],
    ...details,
  };
}

/** An output that ends with a traceback. */
export function raised(traceback: string, name: string, before = ""): Required<Pick<CellDetails, "output" | "places">> {
  const span = { start: before.length, end: before.length + traceback.length };
  return {
    output: before + traceback,
    places: [{ shown: span, whole: span, parts: 0, isStandIn: false, raised: name }],
  };
}

export function call(cells: readonly CellDetails[], details: Partial<CodeDetails> = {}): CodeDetails {
  return {
    session: "main",
    cwd: "/home/ada",
    cells,
    failed: null,
    message: null,
    ledger: null,
    background: false,
    ...details,
  };
}

export function bash(details: Partial<BashDetails> = {}): BashDetails {
  return {
    command: "ls -l",
    cwd: "/home/ada",
    status: "complete",
    exitCode: 0,
    signal: null,
    startedAt: 1_000_000,
    durationMs: 20,
    output: "",
    truncation: null,
    fullOutputPath: null,
    fullOutput: null,
    totalLines: null,
    totalBytes: null,
    notices: [],
    ...details,
  };
}

/** `line 1` to `line <count>` */
export function numberedLines(count: number): string {
  return Array.from({ length: count }, (_, at) => `line ${at + 1}`).join("\n");
}

/** The result of a tool with details only. */
export function result(details: object | null, others: { isError?: boolean; isPartial?: boolean; text?: string } = {}) {
  const { isError = false, isPartial = false, text } = others;
  const content = text === undefined ? [] : [{ type: "text" as const, text }];
  return { details, content, isError, isPartial };
}
