import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { GranaryError } from "../../support/granary-error.ts";
import { hubFolder } from "../start/hub-folder.ts";
import { historiesIn, readHistory, type StoredHistory } from "./session-history.ts";

/** The stored history of that session: of this folder, else the only one of that name. It needs no hub. */
export async function findHistory(
  home: string,
  { name, folder }: { readonly name: string; readonly folder: string },
): Promise<StoredHistory> {
  const stored = historiesIn(hubFolder(home));
  const files = (await readdir(stored).catch(() => [])).filter((file) => file.endsWith(".jsonl"));
  const all = (await Promise.all(files.map((file) => readHistory(join(stored, file))))).filter((each) => each !== null);
  const named = all.filter(({ owner }) => owner.name === name);
  const here = named.filter(({ owner }) => owner.folder === folder);
  const [found] = here.length > 0 ? here : named;
  if (found !== undefined && (here.length > 0 || named.length === 1)) return found;
  if (found !== undefined) {
    const folders = named.map(({ owner }) => owner.folder).join(", ");
    throw new GranaryError("unknown-session", `Several folders have a session ${name}: ${folders}. Choose with --cwd.`);
  }
  const names = [...new Set(all.map(({ owner }) => owner.name))].join(", ");
  const others = names === "" ? "There are none." : `There are: ${names}.`;
  throw new GranaryError("unknown-session", `There is no session ${name}. ${others}`);
}
