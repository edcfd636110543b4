/** A duration for people: `40 ms`, `3.2 s`, `2 min 5 s`, `1 h 20 min`. */
export function sayElapsed(milliseconds: number): string {
  const ms = Math.max(0, Math.round(milliseconds));
  if (ms < 100) return `${ms} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
