import { VtParser } from "./terminal/vt-parser.ts";

/**
 * A text with its colours and no other control codes; null if it moves the cursor, because then it
 * differs from the visible text.
 */
export function onlyColours(text: string): string | null {
  let shown = "";
  let moves = false;
  const move = (): void => {
    moves = true;
  };
  const parser = new VtParser();
  const handler = {
    text: (piece: string) => {
      shown += piece;
    },
    carriageReturn: move,
    backspace: move,
    sequence: (final: string, parameters: string) => {
      if (final === "m") shown += `\x1b[${parameters}m`;
      else move();
    },
  };
  parser.feed(text, handler);
  parser.end(handler);
  return moves ? null : shown;
}
