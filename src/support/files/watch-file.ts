import { type FSWatcher, type Stats, watch } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";

/** A program that writes in place causes many events per save; after this delay the file is complete. */
const settlingMs = 50;
/** Network folders report no changes by others, and a folder that was replaced reports none at all. */
const lookMs = 2000;

/** Calls the listener when a file may have changed. Watches the folder, because most programs save by replacing the file. */
export function watchFile(path: string, onChange: () => void): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const notice = (): void => {
    clearTimeout(timer);
    timer = setTimeout(onChange, settlingMs);
  };
  const watcher = open(dirname(path), (_, name) => {
    if (name === null || name === basename(path)) notice();
  });
  let last: string | null = null;
  const look = async (): Promise<void> => {
    const facts = factsOf(await stat(path).catch(() => null));
    if (last !== null && facts !== last) notice();
    last = facts;
  };
  void look();
  const looking = setInterval(() => void look(), lookMs).unref();
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      clearInterval(looking);
      watcher?.close();
    },
  };
}

function factsOf(stats: Stats | null): string {
  return stats === null ? "none" : [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(" ");
}

function open(folder: string, notice: (event: string, name: string | null) => void): FSWatcher | null {
  try {
    return watch(folder, notice).on("error", () => {});
  } catch {
    return null;
  }
}
