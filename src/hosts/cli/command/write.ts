import type { Writable } from "node:stream";
import { visibleText } from "../../../output/text/visible-text.ts";

/** Writes, and waits while the reader is behind. A reader that has gone is no error here: see `StopRequest`. */
export async function write(stream: Writable, text: string): Promise<void> {
  if (!stream.writable || stream.write(text)) return;
  await new Promise<void>((resolve) => {
    const goOn = () => {
      for (const event of movesOn) stream.off(event, goOn);
      resolve();
    };
    for (const event of movesOn) stream.on(event, goOn);
  });
}

const movesOn = ["drain", "error", "close"];

/** Writes sentences of ours, which may quote anything: messages, names, paths. */
export function say(stream: Writable, text: string): Promise<void> {
  return write(stream, visibleText(text));
}
