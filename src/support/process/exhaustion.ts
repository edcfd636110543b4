/** Whether an error means that this process, or the machine, has no file descriptors left. */
export function isExhaustion(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "EMFILE" || code === "ENFILE") return true;
    if (/too many open files|\b(EMFILE|ENFILE)\b/i.test(cause.message)) return true;
  }
  return false;
}

/** Whether the machine ran out of descriptors, processes or memory: another program would not start either. */
export function isShortage(error: unknown): boolean {
  const { code } = Object(error) as NodeJS.ErrnoException;
  return code === "EAGAIN" || code === "ENOMEM" || isExhaustion(error);
}
