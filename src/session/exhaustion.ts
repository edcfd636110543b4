/** Whether something failed because this process, or the machine, has no file descriptors left. */
export function isExhaustion(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "EMFILE" || code === "ENFILE") return true;
    if (/too many open files|\b(EMFILE|ENFILE)\b/i.test(cause.message)) return true;
  }
  return false;
}

export const exhaustionRemedy =
  "Too many files are open. Granary has closed its other Python sessions and tried again. " +
  "Raise the limit with `ulimit -n 4096`, or close what holds files open.";
