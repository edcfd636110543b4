/** One line of a configuration, the name in lower case: `core.hookspath`, `includeif.gitdir:~/code/.path`. */
export interface GitSetting {
  readonly name: string;
  readonly value: string;
}

/** Reads a configuration as git does: comments, quotes, escapes, values over several lines, a section and a value on one line. */
export function parseGitConfig(text: string): readonly GitSetting[] {
  const settings: GitSetting[] = [];
  const reader = new Reader(text.replace(/^\uFEFF/, ""));
  let section = "";
  while (!reader.isAtEnd) {
    const [, name, part] = reader.take(/\[\s*([^\]\s"]+)(?:\s+"((?:[^"\\\n]|\\.)*)")?\s*\]/y) ?? [];
    const [, key] = name === undefined ? (reader.take(/([A-Za-z][A-Za-z0-9-]*)[ \t]*/y) ?? []) : [];
    if (name !== undefined) {
      section = part === undefined ? name : `${name}.${part.replace(/\\(.)/g, "$1")}`;
    } else if (key !== undefined) {
      const value = reader.take(/=/y) === null ? "true" : reader.takeValue();
      settings.push({ name: `${section}.${key}`.toLowerCase(), value });
    } else if (reader.take(/\s+/y) === null) {
      // A comment, or something that git would refuse.
      reader.take(/[^\n]+/y);
    }
  }
  return settings;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** @param pattern with the flag `y` */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }

  /** Spaces at both ends do not count, unless they are quoted. */
  takeValue(): string {
    let value = "";
    let keptLength = 0;
    let isQuoted = false;
    this.take(/[ \t]+/y);
    for (;;) {
      const [part] = this.take(/\\\r?\n|\\?[^\n]/y) ?? [];
      if (part === undefined) break;
      if (/^\\\r?\n$/.test(part)) continue;
      if (part === '"') {
        isQuoted = !isQuoted;
        keptLength = value.length;
        continue;
      }
      if (!isQuoted && (part === "#" || part === ";")) {
        this.take(/[^\n]+/y);
        break;
      }
      const isEscape = part.length > 1 && part.startsWith("\\");
      value += isEscape ? (escapes[part[1] as string] ?? part[1]) : part;
      if (isQuoted || isEscape || !/\s/.test(part)) keptLength = value.length;
    }
    return value.slice(0, keptLength);
  }
}
