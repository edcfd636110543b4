const name = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const address = /^[0-9a-f:.]*:[0-9a-f:.]*$/;

/** Whether a text is the name or address of a host, or `*.` and a name: all hosts below it. */
export function isHostPattern(text: string): boolean {
  const host = text.startsWith("*.") ? text.slice(2) : text;
  return name.test(host) || (host === text && address.test(host));
}

/** Whether a pattern stands for a host, or for all hosts of another pattern. */
export function patternCovers(pattern: string, host: string): boolean {
  if (pattern === host) return true;
  return pattern.startsWith("*.") && host.endsWith(pattern.slice(1));
}
