import type { StatusEvent } from "../../output/display/display-part.ts";
import { sayRate } from "../../output/progress-bar.ts";
import { sayBytes } from "../../output/text/say-size.ts";
import type { JsonValue } from "../../support/json/value.ts";
import { sayCount } from "../../support/say-count.ts";
import { clamp } from "../text/fit.ts";
import { oneLine } from "../text/printable.ts";
import { fold } from "../text/wrap.ts";
import type { ViewOptions } from "../view-options.ts";
import { sayElapsed } from "./elapsed.ts";
import { gutterWidth, indented } from "./gutter.ts";
import { moreLine } from "./more-line.ts";

const mostCollapsed = 3;
const mostExpanded = 10;

/** Status events of helpers: the last few, a row each; expanded, more of them with all their fields. */
export function renderStatusEvents(events: readonly StatusEvent[], options: ViewOptions): readonly string[] {
  const width = options.width - gutterWidth;
  const shown = events.slice(-(options.expanded ? mostExpanded : mostCollapsed));
  const rows = shown.flatMap((event) => eventRows(event, options, width));
  return indented([...moreLine(events.length - shown.length, "earlier event", options, width), ...rows]);
}

function eventRows(event: StatusEvent, { expanded, theme }: ViewOptions, width: number): readonly string[] {
  const sentence = clamp(`${theme.accent("·")} ${oneLine(sentenceOf(event))}`, width);
  if (!expanded) return [sentence];
  const facts = oneLine(sayFacts(event, []));
  return [sentence, ...fold(facts, width - gutterWidth).map((row) => (row === "" ? "" : `  ${theme.muted(row)}`))];
}

/** The events of our own prelude in words; other events unchanged. */
function sentenceOf(event: StatusEvent): string {
  const say = sentences[event.op];
  return say === undefined ? `${event.op} ${sayFacts(event, ["id"])}`.trimEnd() : say(event);
}

const sentences: Readonly<Record<string, (event: StatusEvent) => string>> = Object.assign(Object.create(null), {
  read: ({ path, bytes }: StatusEvent) => `read ${text(path)}${inBrackets(size(bytes))}`,
  write: ({ path, bytes, created }: StatusEvent) =>
    `${created === true ? "created" : "wrote"} ${text(path)}${inBrackets(size(bytes))}`,
  find: ({ path, pattern, count, complete }: StatusEvent) =>
    `found ${atLeast(count, complete, "file")} like ${text(pattern)} in ${text(path)}`,
  search: ({ path, pattern, count, complete }: StatusEvent) =>
    `found ${atLeast(count, complete, "line")} with ${text(pattern)} in ${text(path)}`,
  progress: sayProgress,
});

const barWidth = 12;

function sayProgress({ title, done, total, state, seconds }: StatusEvent): string {
  const name = typeof title === "string" && title !== "" ? title : "progress";
  const stopped = state === "stopped" ? ", stopped" : "";
  if (typeof done !== "number" || typeof total !== "number" || total <= 0) return `${name}: ${text(done)}${stopped}`;
  const full = Math.round(Math.min(1, Math.max(0, done / total)) * barWidth);
  const left = state === "running" && typeof seconds === "number" ? sayTimeLeft(done, total, seconds) : "";
  const rate = left === "" || typeof seconds !== "number" ? "" : `, ${sayRate(done / seconds)}`;
  return `${name} ${"█".repeat(full)}${"░".repeat(barWidth - full)} ${done} of ${total}${rate}${left}${stopped}`;
}

/** Thirty years. */
const longestSeconds = 1e9;

/** `, 12 s left`, by the speed so far; empty while unknown. */
function sayTimeLeft(done: number, total: number, seconds: number): string {
  if (done <= 0 || done >= total || seconds <= 0) return "";
  const left = Math.ceil((seconds * (total - done)) / done);
  return left < longestSeconds ? `, ${left < 10 ? `${left} s` : sayElapsed(left * 1000)} left` : "";
}

function sayFacts(event: StatusEvent, without: readonly string[]): string {
  return Object.entries(event)
    .filter(([name]) => name !== "op" && !without.includes(name))
    .map(([name, value]) => `${name}=${text(value)}`)
    .join(" ");
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "?");
}

const size = (bytes: JsonValue | undefined): string => (typeof bytes === "number" ? sayBytes(bytes) : "");

const inBrackets = (words: string): string => (words === "" ? "" : ` (${words})`);

function atLeast(count: JsonValue | undefined, complete: JsonValue | undefined, one: string): string {
  if (typeof count !== "number") return `${one}s`;
  return `${complete === false ? "at least " : ""}${sayCount(count, one)}`;
}
