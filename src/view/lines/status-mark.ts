import type { Style, StyleName, Theme } from "../theme/theme.ts";

/** The tools' words for a status. */
type Status =
  | "pending"
  | "running"
  | "complete"
  | "ok"
  | "error"
  | "failed"
  | "cancelled"
  | "timeout"
  | "skipped"
  | "not-run";

interface Mark {
  readonly sign: string;
  readonly style: StyleName;
}

/** Signs that differ without colours, and are one column wide in every terminal. */
const marks: Readonly<Record<Status, Mark>> = {
  pending: { sign: "○", style: "muted" },
  running: { sign: "▶", style: "running" },
  complete: { sign: "✓", style: "success" },
  ok: { sign: "✓", style: "success" },
  error: { sign: "✗", style: "error" },
  failed: { sign: "✗", style: "error" },
  cancelled: { sign: "■", style: "warning" },
  timeout: { sign: "■", style: "warning" },
  skipped: { sign: "–", style: "muted" },
  "not-run": { sign: "–", style: "muted" },
};

export function statusMark(status: Status, theme: Theme): string {
  const { sign, style } = marks[status];
  return theme[style](sign);
}

/** The style of a word about that status. */
export function statusStyle(status: Status, theme: Theme): Style {
  return theme[marks[status].style];
}
