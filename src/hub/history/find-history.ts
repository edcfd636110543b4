import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { chooseSession, type SessionWish } from "../session-wish.ts";
import { hubFolder } from "../start/hub-folder.ts";
import { historiesIn, readHistory, type StoredHistory } from "./session-history.ts";

/** The stored history of the session that is meant. It needs no hub. */
export async function findHistory(home: string, wish: SessionWish): Promise<StoredHistory> {
  const stored = historiesIn(hubFolder(home));
  const files = (await readdir(stored).catch(() => [])).filter((file) => file.endsWith(".jsonl"));
  const all = (await Promise.all(files.map((file) => readHistory(join(stored, file))))).filter((each) => each !== null);
  return chooseSession(
    all.map((history) => ({ ...history.owner, history })),
    wish,
  ).history;
}
