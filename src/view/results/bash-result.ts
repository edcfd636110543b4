import type { BashDetails } from "../../tools/definition/details.ts";
import type { CodeOptions } from "../lines/code-lines.ts";
import { renderCode } from "../lines/code-lines.ts";
import { sayElapsed } from "../lines/elapsed.ts";
import { indented } from "../lines/gutter.ts";
import { headWithFacts } from "../lines/head-line.ts";
import { noticeLines, truncationLines } from "../lines/notice-lines.ts";
import { renderOutput } from "../lines/output-lines.ts";
import { statusMark, statusStyle } from "../lines/status-mark.ts";

/** A command: its status, the command itself, its output. */
export function renderBashBlock(bash: BashDetails, options: CodeOptions): readonly string[] {
  return [headLine(bash, options), ...renderCode(bash.command, "bash", options), ...renderBashOutput(bash, options)];
}

function renderBashOutput(bash: BashDetails, options: CodeOptions): readonly string[] {
  const shown = bashOutput(bash, options);
  return shown.length === 0 && bash.status === "complete" ? indented([options.theme.muted("(no output)")]) : shown;
}

/** Its output and notices. */
export function bashOutput(bash: Omit<BashDetails, "cwd">, options: CodeOptions): readonly string[] {
  const all = (options.expanded && bash.fullOutput) || null;
  return [
    ...renderOutput(all ?? bash.output, options),
    ...truncationLines(all === null ? bash.truncation : null, bash.fullOutputPath, options),
    ...noticeLines(bash.notices, options),
  ];
}

/** `exit code 2`, `ended by SIGSEGV` */
export function sayExit({ exitCode, signal }: Pick<BashDetails, "exitCode" | "signal">): string {
  return signal === null ? `exit code ${exitCode ?? "unknown"}` : `ended by ${signal}`;
}

function headLine(bash: BashDetails, { width, theme, now }: CodeOptions): string {
  const status = sayStatus(bash, now);
  const facts = [
    status === "" ? [] : statusStyle(bash.status, theme)(status),
    bash.durationMs === null ? [] : theme.muted(sayElapsed(bash.durationMs)),
  ].flat();
  return headWithFacts(`${statusMark(bash.status, theme)} `, "bash", facts, { width, theme });
}

function sayStatus(bash: BashDetails, now: number | undefined): string {
  switch (bash.status) {
    case "complete":
      return "";
    case "running":
      return now === undefined ? "running" : `running ${sayElapsed(now - bash.startedAt)}`;
    case "timeout":
      return "timed out";
    case "error":
      return sayExit(bash);
    default:
      return bash.status;
  }
}
