const last = new Map<string, Promise<unknown>>();

/**
 * Does what this process has to do with one thing, such as a file, one after the other: between reading and writing
 * nothing can slip in unseen.
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
