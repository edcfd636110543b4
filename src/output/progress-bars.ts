import { displaysIn, type OutputPart } from "./output-part.ts";
import { barOf, type ProgressBar } from "./progress-bar.ts";

/** The open bars: those of `progress()`, then those drawn at the end of the text. */
export function openBars(parts: readonly OutputPart[], text: string): readonly ProgressBar[] {
  const events = displaysIn(parts).flatMap((display) => display.parts.filter((part) => part.type === "status"));
  const told = events.map(({ event }) => barOf(event)).filter((bar) => bar !== null);
  return [...told, ...drawnBars(text)];
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
