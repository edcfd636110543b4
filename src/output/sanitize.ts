import { ScreenLines } from "./screen-lines.ts";
import { VtParser } from "./vt-parser.ts";

/** A whole text as a terminal would show it in the end, without anything that is not text. */
export function sanitize(text: string): string {
  let shown = "";
  const screen = new ScreenLines((final) => {
    shown += final;
  });
  const parser = new VtParser();
  parser.feed(text, screen);
  parser.end(screen);
  screen.finish();
  return shown;
}
