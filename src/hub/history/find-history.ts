import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { chooseSession, type SessionWish } from "../session-wish.ts";
import { hubFolder } from "../start/hub-folder.ts";
import { historiesIn, readHistory, type StoredHistory } from "./session-history.ts";

/** The stored histories of all sessions, those that have ended and those that live. It needs no hub. */
export async function storedHistories(home: string): Promise<readonly StoredHistory[]> {
  const stored = historiesIn(hubFolder(home));
  const files = (await readdir(stored).catch(() => [])).filter((file) => file.endsWith(".jsonl"));
  return (await Promise.all(files.map((file) => readHistory(join(stored, file))))).filter((each) => each !== null);
}

/** The stored history of the session that is meant. */
export async function findHistory(home: string, wish: SessionWish): Promise<StoredHistory> {
  const all = await storedHistories(home);
  return chooseSession(
    all.map((history) => ({ ...history.owner, history })),
    wish,
  ).history;
}
