import { watch } from "node:fs";
import { basename, dirname } from "node:path";

/** A program that writes in place causes many events per save; after this delay the file is complete. */
const settlingMs = 50;

/**
 * Calls the listener when a file may have changed. Watches the folder, because most programs save by replacing the
 * file. Where watching is impossible the listener is never called; every save checks the file anyway.
 */
export function watchFile(path: string, onChange: () => void): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const notice = (_: string, name: string | null): void => {
    if (name !== null && name !== basename(path)) return;
    clearTimeout(timer);
    timer = setTimeout(onChange, settlingMs);
  };
  const watcher = open(dirname(path), notice);
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      watcher?.close();
    },
  };
}

function open(folder: string, notice: (event: string, name: string | null) => void) {
  try {
    return watch(folder, notice).on("error", () => {});
  } catch {
    return null;
  }
}
