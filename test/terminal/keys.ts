/** Keys as terminals send them. */
export const keys = {
  enter: "\r",
  newline: "\x1b\r",
  tab: "\t",
  shiftTab: "\x1b[Z",
  escape: "\x1b",
  backspace: "\x7f",
  delete: "\x1b[3~",
  up: "\x1b[A",
  down: "\x1b[B",
  right: "\x1b[C",
  left: "\x1b[D",
  home: "\x1b[H",
  end: "\x1b[F",
  ctrl: (letter: string): string => String.fromCharCode(letter.toUpperCase().charCodeAt(0) - 64),
};
