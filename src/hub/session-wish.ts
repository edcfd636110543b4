import { realFolder } from "../session/real-folder.ts";
import { GranaryError } from "../support/granary-error.ts";
import { shellWord } from "../support/shell-word.ts";

/** Which session a client means. */
export interface SessionWish {
  readonly name: string;
  /** The folder that was named, else the client's own. */
  readonly folder: string;
  /** Whether the only session of that name will do where this folder has none: for commands that only look. */
  readonly elsewhere: boolean;
}

interface Named {
  readonly name: string;
  readonly folder: string;
}

/** The session that is meant: the one of the folder, else, if it may be elsewhere, the only one of that name. */
export function chooseSession<Known extends Named>(
  known: readonly Known[],
  { name, folder, elsewhere }: SessionWish,
  { where = "" } = {},
): Known {
  const named = known.filter((session) => session.name === name);
  const here = realFolder(folder);
  const found = named.find((session) => session.folder === here) ?? (elsewhere ? onlyOne(named) : undefined);
  if (found !== undefined) return found;
  if (named.length === 0) {
    const names = [...new Set(known.map((session) => session.name))].sort().join(", ");
    const others = names === "" ? "There are none." : `There are: ${names}.`;
    throw unknownSession(`There is no session ${name}${where}. ${others}`);
  }
  const missing = elsewhere ? "" : `There is no session ${name} in ${here}. `;
  throw unknownSession(`${missing}${sayElsewhere(name, named)}`);
}

/** `One of that name is in /b: --cwd /b` */
export function sayElsewhere(name: string, named: readonly Named[]): string {
  const only = onlyOne(named);
  if (only !== undefined) return `One of that name is in ${only.folder}: --cwd ${shellWord(only.folder)}`;
  const folders = named.map(({ folder }) => folder).join(", ");
  return `Several folders have a session ${name}: ${folders}. Choose with --cwd.`;
}

export function unknownSession(sentence: string): GranaryError {
  return new GranaryError("unknown-session", sentence);
}

function onlyOne<Item>(items: readonly Item[]): Item | undefined {
  return items.length === 1 ? items[0] : undefined;
}
