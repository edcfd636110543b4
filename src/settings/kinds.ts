/** The values that a setting takes. They are JSON; a variable's text is converted first. */
export interface Kind<T> {
  /** Ends the sentence "It takes …". */
  readonly takes: string;
  /** The same for a variable, where that differs. */
  readonly takesAsText?: string;
  /** The value; undefined when it is not of this kind. */
  read(json: unknown): T | undefined;
  /** The value of a variable's text, not yet checked; undefined when that variable counts as not set. */
  fromText(text: string): unknown;
  /** A value, valid or not, as an error may show it. */
  shown(json: unknown): string;
  /** True when values of this kind are secret. */
  readonly isSecret?: boolean;
}

/** The properties of a setting, apart from its name. */
export interface Setting<T> {
  readonly kind: Kind<T>;
  readonly default: T;
  /** For people: the effect, and the reason for the default. */
  readonly purpose: string;
  /** A second variable with a documented name, which wins over `GRANARY_…`. */
  readonly variable?: { readonly name: string; readonly kind?: Kind<T> };
  /** Why a cloned folder may not set this for its user. */
  readonly notForProjects?: string;
  /** Names a program, a server or variables of the user: a project's file decides it only in a folder that the user trusts. */
  readonly needsTrust?: boolean;
  /** The text is a path: `~` and paths relative to the working folder become absolute. */
  readonly isPath?: boolean;
  /** A project's file can only tighten this: the value from the project's and the user's. */
  readonly tighten?: (project: T, user: T) => T;
}

export function setting<T>(described: Omit<Setting<T>, "default"> & { readonly default: NoInfer<T> }): Setting<T> {
  return described;
}

export function oneOf<const Word extends string>(...words: readonly Word[]): Kind<Word> {
  return {
    takes: listed(words.map((word) => JSON.stringify(word))),
    takesAsText: listed(words),
    read: (json) => words.find((word) => word === json),
    fromText: unlessEmpty,
    shown: sayValue,
  };
}

/** For a variable that has its own words for the values of `oneOf`. */
export function wordsFor<Meaning extends string>(
  spellings: Readonly<Record<Meaning, readonly string[]>>,
): Kind<Meaning> {
  const all = Object.entries(spellings) as [Meaning, readonly string[]][];
  return {
    takes: all.map(([meaning, words]) => `${listed(words)} for ${meaning}`).join(", "),
    read: (json) => all.find(([, words]) => words.some((word) => word === json))?.[0],
    fromText: unlessEmpty,
    shown: sayValue,
  };
}

export const onOff: Kind<boolean> = {
  takes: "true or false",
  takesAsText: "1, true, yes, on or 0, false, no, off",
  read: (json) => (typeof json === "boolean" ? json : undefined),
  fromText: (text) => switchWords.get(text.toLowerCase()) ?? unlessEmpty(text),
  shown: sayValue,
};

export const switchWords: ReadonlyMap<string, boolean> = new Map([
  ...["1", "true", "yes", "on"].map((word) => [word, true] as const),
  ...["0", "false", "no", "off"].map((word) => [word, false] as const),
]);

interface Range {
  readonly from: number;
  readonly to: number;
  /** What 0 means, where it is accepted besides the range. */
  readonly zero?: string;
}

/** For durations: fractions are allowed. */
export function numberBetween({ from, to, zero }: Range): Kind<number> {
  return {
    takes: `a number from ${from} to ${to}${zero === undefined ? "" : `, or 0: ${zero}`}`,
    read(json) {
      if (typeof json !== "number") return undefined;
      const isZero = json === 0 && zero !== undefined;
      return isZero || (json >= from && json <= to) ? json : undefined;
    },
    fromText: (text) => (/^[+-]?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : unlessEmpty(text)),
    shown: sayValue,
  };
}

/** For things that are counted. */
export function wholeNumberBetween(range: Range): Kind<number> {
  const anyNumber = numberBetween(range);
  return {
    ...anyNumber,
    takes: anyNumber.takes.replace("a number", "a whole number"),
    read: (json) => (Number.isInteger(json) ? anyNumber.read(json) : undefined),
  };
}

export const lineOrNone: Kind<string | null> = {
  takes: "a text of one line, or null for none",
  takesAsText: "a text of one line, or nothing for none",
  read: (json) => (json === null || isLine(json) ? json : undefined),
  fromText: noneIfEmpty,
  shown: sayValue,
};

export const secretOrNone: Kind<string | null> = { ...lineOrNone, shown: () => notShown, isSecret: true };

export const notShown = "(not shown)";

export function isLine(json: unknown): json is string {
  return typeof json === "string" && json.trim() !== "" && !/\p{Cc}/u.test(json);
}

/** Only for kinds that have a value for "none"; elsewhere an empty variable counts as not set. */
export function noneIfEmpty(text: string): string | null {
  return text === "" ? null : text;
}

function unlessEmpty(text: string): string | undefined {
  return text === "" ? undefined : text;
}

export function sayValue(json: unknown): string {
  if (Array.isArray(json)) return `a list (${json.map(shownAlone).join(", ")})`;
  return shownAlone(json);
}

function shownAlone(json: unknown): string {
  if (Array.isArray(json)) return "a list";
  if (typeof json === "object" && json !== null) return "an object";
  if (typeof json === "string") return JSON.stringify(json.length > 80 ? `${json.slice(0, 79)}…` : json);
  return typeof json === "function" ? "a function" : String(json);
}

/** `a, b or c` */
function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** The stricter of two words, from a list that begins with the loosest. */
export function stricter<const Word extends string>(...words: readonly Word[]): (one: Word, other: Word) => Word {
  return (one, other) => (words.indexOf(one) > words.indexOf(other) ? one : other);
}

/** The lower of two limits, where 0 is none. */
export function lowest(one: number, other: number): number {
  return one === 0 || (other !== 0 && other < one) ? other : one;
}
