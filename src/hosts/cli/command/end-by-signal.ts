/** What asks a program at a terminal to end. */
export type EndingSignal = "SIGTERM" | "SIGHUP";

/** As a shell has it: 128 + the number of the signal. */
const exitCodeOf: Readonly<Record<EndingSignal, number>> = { SIGHUP: 129, SIGTERM: 143 };

/**
 * Ends the program as that signal would have, when everything is tidied up; for SIGTERM it is enough to return this.
 * Node sets the terminal back when it exits, and crashes when that is gone; so it must not get that far.
 */
export function endBySignal(name: EndingSignal): number | Promise<number> {
  if (name === "SIGTERM") return exitCodeOf[name];
  process.removeAllListeners(name);
  process.kill(process.pid, name);
  return new Promise(() => {});
}
