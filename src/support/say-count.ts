/** `1,234 rows`, `1 row` */
export function sayCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

/** `2 and 3`, `2 to 5` */
export function sayRange(first: number, last: number): string {
  return `${first} ${last === first + 1 ? "and" : "to"} ${last}`;
}

/** `1 second`, `0.5 seconds`, `1200 seconds`: as a time limit is written in a call or a setting. */
export function sayTimeLimit(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return `${seconds} ${seconds === 1 ? "second" : "seconds"}`;
}
