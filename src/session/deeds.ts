import { sayCount } from "../support/say-count.ts";

/** A cell that a client ran in a session, as the other clients learn of it. */
export interface Deed {
  /** Counts from 1 in each session. */
  readonly number: number;
  readonly owner: string;
  /** The owner's name for people. */
  readonly by: string;
  readonly firstLine: string;
}

const mostKept = 100;
const mostShown = 3;
const mostCharacters = 60;

/** The latest cells of a session, and who ran them. */
export class Deeds {
  #latest: readonly Deed[] = [];
  #count = 0;

  /** How many there have been. */
  get count(): number {
    return this.#count;
  }

  get last(): Deed | null {
    return this.#latest.at(-1) ?? null;
  }

  add(owner: string, by: string, code: string): void {
    this.#count += 1;
    const deed = { number: this.#count, owner, by, firstLine: firstLineOf(code) };
    this.#latest = [...this.#latest.slice(1 - mostKept), deed];
  }

  since(number: number, owner: string): readonly Deed[] {
    return this.#latest.filter((deed) => deed.number > number && deed.owner !== owner);
  }
}

/** `Since your last call console ran 2 cells: x = 5; df.dropna(inplace=True)` */
export function sayDeeds(deeds: readonly Deed[]): string | null {
  if (deeds.length === 0) return null;
  const names = [...new Set(deeds.map(({ by }) => by))].join(" and ");
  const lines = deeds.slice(0, mostShown).map(({ firstLine }) => firstLine);
  const more = deeds.length > mostShown ? "; …" : "";
  return `Since your last call ${names} ran ${sayCount(deeds.length, "cell")}: ${lines.join("; ")}${more}`;
}

/** The first line with code, for a list. */
export function firstLineOf(code: string): string {
  const lines = code.split("\n").map((line) => line.trim());
  const line = lines.find((each) => each !== "" && !each.startsWith("#")) ?? lines[0] ?? "";
  return line.length > mostCharacters ? `${line.slice(0, mostCharacters - 1)}…` : line;
}
