const last = new Map<string, Promise<unknown>>();

/**
 * Serializes this process's work on one thing, such as a file: no other work can come between a
 * read and a write.
 */
export async function inTurn<T>(thing: string, work: () => Promise<T>): Promise<T> {
  const turn = (last.get(thing) ?? Promise.resolve()).then(work);
  const settled = turn.catch(() => {});
  last.set(thing, settled);
  try {
    return await turn;
  } finally {
    if (last.get(thing) === settled) last.delete(thing);
  }
}
