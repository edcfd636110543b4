import type { Writable } from "node:stream";

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
