/** `5 minutes`, `24 hours` */
export function minutesInWords(minutes: number): string {
  const isHours = minutes >= 120 && minutes % 60 === 0;
  const [count, unit] = isHours ? [minutes / 60, "hour"] : [minutes, "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
