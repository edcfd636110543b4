import type { Writable } from "node:stream";
import { visibleText } from "../../../output/text/visible-text.ts";
import { write } from "./write.ts";

/** Writes our own sentences, which may quote messages, names and paths. */
export function say(stream: Writable, text: string): Promise<void> {
  return write(stream, visibleText(text));
}
