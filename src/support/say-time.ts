/** `5 minutes`, `24 hours` */
export function minutesInWords(minutes: number): string {
  const isHours = minutes >= 120 && minutes % 60 === 0;
  const [count, unit] = isHours ? [minutes / 60, "hour"] : [minutes, "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** `12 s`, `3 min`, `5 h`, `2 days` */
export function sayAge(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 2 * 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} days`;
}
