/** The signals that ask a program at a terminal to end. */
export type EndingSignal = "SIGTERM" | "SIGHUP";

/** As in a shell: 128 + the number of the signal. */
const exitCodeOf: Readonly<Record<EndingSignal, number>> = { SIGHUP: 129, SIGTERM: 143 };

/**
 * Ends the program as that signal would have, after all cleanup; for SIGTERM, returning this code is enough.
 * Node resets the terminal when it exits, and crashes when the terminal is gone. So the program must end before that.
 */
export function endBySignal(name: EndingSignal): number | Promise<number> {
  if (name === "SIGTERM") return exitCodeOf[name];
  process.removeAllListeners(name);
  process.kill(process.pid, name);
  return new Promise(() => {});
}
