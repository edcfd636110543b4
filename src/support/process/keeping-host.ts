/** Sleeping processes do not keep the host alive; a caller that waits for an answer of theirs does. */
export async function keepingHost<T>(work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, 2 ** 30);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
