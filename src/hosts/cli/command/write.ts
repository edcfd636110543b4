import type { Writable } from "node:stream";
import { visibleText } from "../../../output/text/visible-text.ts";

/** Writes, and waits while the reader is behind. A closed reader is no error here: see `StopRequest`. */
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

/** Writes our own sentences, which may quote messages, names and paths. */
export function say(stream: Writable, text: string): Promise<void> {
  return write(stream, visibleText(text));
}
