import type { StatusEvent } from "./display/display-part.ts";
import { displaysIn, type OutputPart } from "./output-part.ts";

/** How far a task is, as reported by `progress()`, tqdm or rich. */
export interface ProgressBar {
  readonly title: string | null;
  readonly done: number;
  /** Null when unknown. */
  readonly total: number | null;
  readonly perSecond: number | null;
  readonly secondsLeft: number | null;
}

/** The open bars: those of `progress()`, then those drawn at the end of the text. */
export function openBars(parts: readonly OutputPart[], text: string): readonly ProgressBar[] {
  const events = displaysIn(parts).flatMap((display) => display.parts.filter((part) => part.type === "status"));
  const told = events.map(({ event }) => barOf(event)).filter((bar) => bar !== null);
  return [...told, ...drawnBars(text)];
}

/** `train: 12 of 100, 3.1/s, 28 s left` */
export function sayBar({ title, done, total, perSecond, secondsLeft }: ProgressBar): string {
  const name = title === null ? "" : `${title}: `;
  const count = total === null ? sayNumber(done) : `${sayNumber(done)} of ${sayNumber(total)}`;
  const rate = perSecond === null ? "" : `, ${sayRate(perSecond)}`;
  const left = secondsLeft === null ? "" : `, ${sayTime(secondsLeft)} left`;
  return `${name}${count}${rate}${left}`;
}

/** `3.1/s`, or for slow tasks `12 s each` */
export function sayRate(perSecond: number): string {
  return perSecond >= 1 ? `${sayNumber(perSecond)}/s` : `${sayTime(1 / perSecond)} each`;
}

/** The bar of a running `progress()` event; null for other events and ended bars. */
export function barOf({ op, title, done, total, state, seconds }: StatusEvent): ProgressBar | null {
  if (op !== "progress" || state !== "running" || !Number.isFinite(done) || typeof done !== "number") return null;
  const whole = typeof total === "number" && total > 0 ? total : null;
  const rate = typeof seconds === "number" && seconds > 0 && done > 0 ? done / seconds : 0;
  const perSecond = Number.isFinite(rate) && rate > 0 ? rate : null;
  const secondsLeft = whole === null || perSecond === null || done >= whole ? null : (whole - done) / perSecond;
  return {
    title: typeof title === "string" && title !== "" ? title : null,
    done,
    total: whole,
    perSecond,
    secondsLeft,
  };
}

const mostLines = 20;

/** The bars in the last lines of a text. A full bar has ended. */
function drawnBars(text: string): readonly ProgressBar[] {
  const lines = text.trimEnd().split("\n").slice(-mostLines);
  const bars = lines.map((line) => tqdmBar(line) ?? richBar(line)).filter((bar) => bar !== null);
  return bars.filter(({ done, total }) => total === null || done < total);
}

const amount = String.raw`\d+(?:\.\d+)?[kMGTP]?`;
const clock = String.raw`(?:\d+d )?[\d:]+`;
const tqdm = new RegExp(
  String.raw`^(?:(?<title>.*?): +)? *(?:\d+%\|[^|]*\| *)?(?<done>${amount})(?:/(?<total>${amount}))?(?:\w*) \[${clock}(?:<(?<left>${clock}|\?))?, +(?<rate>[^,\]]*)`,
);

/** `train:  45%|████▌     | 45/100 [00:04<00:05, 10.00it/s, loss=0.3]`, or `45it [00:04, 10.00it/s]` */
function tqdmBar(line: string): ProgressBar | null {
  const groups = tqdm.exec(line)?.groups;
  if (groups === undefined) return null;
  return {
    title: groups.title?.trim() || null,
    done: amountOf(groups.done ?? "0"),
    total: groups.total === undefined ? null : amountOf(groups.total),
    perSecond: rateOf(groups.rate ?? ""),
    secondsLeft: secondsOf(groups.left ?? "?"),
  };
}

/** `Working... ━━━━━━━━━╸━━━━━━━━━━  45% 0:00:05` */
function richBar(line: string): ProgressBar | null {
  const [, title = "", percent, left = ""] = /^(.*?)\s*[━╸╺]{5,}\s+(\d+)%(?:\s+([-\d:]+))?\s*$/.exec(line) ?? [];
  if (percent === undefined) return null;
  return {
    title: title.trim() || null,
    done: Number(percent),
    total: 100,
    perSecond: null,
    secondsLeft: secondsOf(left),
  };
}

const factors: Readonly<Record<string, number>> = { k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15 };

function amountOf(text: string): number {
  return Number.parseFloat(text) * (factors[text.at(-1) ?? ""] ?? 1);
}

/** `10.00it/s`, `1.1MB/s`, or for slow tasks `2.00s/it` */
function rateOf(text: string): number | null {
  const [, fast] = /^(\d+(?:\.\d+)?[kMGTP]?)\D*\/s$/.exec(text) ?? [];
  if (fast !== undefined) return amountOf(fast);
  const [, slow] = /^(\d+(?:\.\d+)?)s\/\w+$/.exec(text) ?? [];
  return slow === undefined || Number(slow) === 0 ? null : 1 / Number(slow);
}

/** `00:05`, `1:02:03`, `2d 01:00:00`; null for `?` and `-:--:--`. */
function secondsOf(text: string): number | null {
  const [, days, time] = /^(?:(\d+)d )?(\d+(?::\d+)+)$/.exec(text) ?? [];
  if (time === undefined) return null;
  return time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) + Number(days ?? 0) * 86_400;
}

function sayNumber(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(2)));
}

/** Thirty years. */
const longestSeconds = 1e9;

function sayTime(seconds: number): string {
  const whole = Math.ceil(Math.min(seconds, longestSeconds));
  if (whole < 120) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
