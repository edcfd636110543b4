import { watch } from "node:fs";
import { basename, dirname } from "node:path";

/** Writers that write in place make many events of one save; by then it is whole. */
const settlingMs = 50;

/**
 * Calls the listener when a file may have changed. Its folder is watched, because most programs save by putting another
 * file in its place. Where nothing can be watched nobody is called: whoever saves looks anyway.
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
