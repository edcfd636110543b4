/** Texts of an attacker in messages, names and files: to change a terminal, to look like something else, to address only a model. */
export const hostile = [
  "\x1b]52;c;QUFBQQ==\x07clipboard",
  "\x1b]0;title\x1b\\window",
  "\x1b[2J\x1b[Hcleared",
  "\x9b31mred\x9dtitle\x9c",
  "\x1bP+q544e\x1b\\device",
  "safe\rgone\b\b\b\bmoved",
  "nul\0bell\x07delete\x7f",
  "user\u202etxt.exe\u2066\u2069",
  "visible\u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}",
  "pass\u200bword\u2060\ufeff",
  "🏴\u{e0068}\u{e0069}\u{e0064}\u{e0064}\u{e0065}\u{e006e}\u{e0021}\u{e007f}",
];

/** Characters that no text of Granary may contain. */
export const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]|\r(?!\n)/u;
