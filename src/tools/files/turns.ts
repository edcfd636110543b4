/** Work on one file by this process, one after the other: between reading and writing nothing can slip in unseen. */
const last = new Map<string, Promise<unknown>>();

export async function inTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
  const turn = (last.get(path) ?? Promise.resolve()).then(work);
  const settled = turn.catch(() => {});
  last.set(path, settled);
  try {
    return await turn;
  } finally {
    if (last.get(path) === settled) last.delete(path);
  }
}
