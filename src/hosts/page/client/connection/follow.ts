import { signal } from "@preact/signals";
import { takePlace } from "./stream-place.ts";
import { loseAccess, tokenHeader } from "./token.ts";

/** Whether the server can be reached. */
export const isConnected = signal(true);

const firstDelayMs = 250;
const longestDelayMs = 5000;
/** A tab without a place for a stream of its own looks so often what is new. */
const visibleEveryMs = 1000;
const hiddenEveryMs = 60_000;
/** All of a snapshot comes together. */
const snapshotMs = 150;

/** Reads server-sent events, and reconnects until the returned function is called. @param path below `/page/api/` */
export function follow<Event>(
  path: string,
  onEvent: (event: Event) => void,
  onGone: () => void = () => {},
): () => void {
  const stop = new AbortController();
  void readAgainAndAgain(path, onEvent as (event: unknown) => void, onGone, stop.signal);
  return () => stop.abort();
}

async function readAgainAndAgain(
  path: string,
  onEvent: (event: unknown) => void,
  onGone: () => void,
  stopped: AbortSignal,
): Promise<void> {
  for (let delay = firstDelayMs; !stopped.aborted; delay = Math.min(delay * 2, longestDelayMs)) {
    const place = await takePlace();
    const turn = new AbortController();
    const end = (): void => turn.abort();
    const take = (event: unknown): void => {
      onEvent(event);
      if (place === null) setTimeout(end, snapshotMs);
    };
    stopped.addEventListener("abort", end);
    place?.wanted.addEventListener("abort", end);
    try {
      if (stopped.aborted) return;
      const response = await fetch(`/page/api/${path}`, { headers: tokenHeader(), signal: turn.signal });
      if (response.status === 403) return loseAccess();
      if (!response.ok) return onGone();
      isConnected.value = true;
      delay = firstDelayMs;
      await readEvents(response, take);
    } catch {
      // The next round tries again.
    } finally {
      stopped.removeEventListener("abort", end);
      place?.release();
    }
    if (stopped.aborted) return;
    if (turn.signal.aborted) await nextLook(stopped);
    else {
      isConnected.value = false;
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
}

/** An event is one line, however long: a snapshot may come in hundreds of pieces. */
async function readEvents({ body }: Response, onEvent: (event: unknown) => void): Promise<void> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  let pieces: string[] = [];
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const [first = "", ...more] = read.value.split("\n");
    pieces.push(first);
    for (const next of more) {
      const line = pieces.join("");
      pieces = [next];
      if (line.startsWith("data: ")) onEvent(JSON.parse(line.slice("data: ".length)));
    }
  }
}

/** Soon in a visible tab; in a hidden one when it appears, or after a while. */
function nextLook(stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", done);
      stopped.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, document.hidden ? hiddenEveryMs : visibleEveryMs);
    document.addEventListener("visibilitychange", done);
    stopped.addEventListener("abort", done);
  });
}
