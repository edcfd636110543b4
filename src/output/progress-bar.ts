/** How far a task is, as reported by `progress()`, tqdm or rich. */
export interface ProgressBar {
  readonly title: string | null;
  readonly done: number;
  /** Null when unknown. */
  readonly total: number | null;
  readonly perSecond: number | null;
  readonly secondsLeft: number | null;
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
export function barOf({
  op,
  title,
  done,
  total,
  state,
  seconds,
}: Readonly<Record<string, unknown>>): ProgressBar | null {
  if (op !== "progress" || state !== "running" || !Number.isFinite(done) || typeof done !== "number") return null;
  const whole = typeof total === "number" && Number.isFinite(total) && total > 0 ? total : null;
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
