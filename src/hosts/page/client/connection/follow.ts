import { signal } from "@preact/signals";
import { loseAccess, tokenHeader } from "./token.ts";

/** Whether the server can be reached. */
export const isConnected = signal(true);

const firstDelayMs = 250;
const longestDelayMs = 5000;

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
  signal: AbortSignal,
): Promise<void> {
  for (let delay = firstDelayMs; !signal.aborted; delay = Math.min(delay * 2, longestDelayMs)) {
    try {
      const response = await fetch(`/page/api/${path}`, { headers: tokenHeader(), signal });
      if (response.status === 403) return loseAccess();
      if (!response.ok) return onGone();
      isConnected.value = true;
      delay = firstDelayMs;
      await readEvents(response, onEvent);
    } catch {
      // The next round tries again.
    }
    if (signal.aborted) return;
    isConnected.value = false;
    await new Promise((resolve) => setTimeout(resolve, delay));
  }
}

async function readEvents({ body }: Response, onEvent: (event: unknown) => void): Promise<void> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  let rest = "";
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const blocks = (rest + read.value).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) if (block.startsWith("data: ")) onEvent(JSON.parse(block.slice("data: ".length)));
  }
}
