import { sayCount } from "../../support/say-count.ts";

/** For a command in a sandbox with bubblewrap. */
export function sayEnded(count: number): string {
  const processes = sayCount(count, "background process", "background processes");
  return `Ended with the command: ${processes}. In a sandbox with bubblewrap, none outlives its command: use a server in the command that starts it.`;
}
