import type { LocalSession } from "../../session/local-session.ts";
import { realFolder } from "../../session/real-folder.ts";
import { shellWord } from "../../support/shell-word.ts";
import { SessionHistory } from "../history/session-history.ts";
import { chooseSession, type SessionWish, sayElsewhere, unknownSession } from "../session-wish.ts";
import type { Hub } from "./hub.ts";

/** The living session that is meant. One of the folder that has ended stands in the way of those elsewhere. */
export function findLivingSession({ living, sessions, options }: Hub, wish: SessionWish): LocalSession {
  const { name, folder } = wish;
  const known = living.map((session) => ({ session, name: session.id, folder: sessions.keyOf(session).cwd }));
  const here = realFolder(folder);
  const named = known.filter((session) => session.name === name);
  const lives = named.some((session) => session.folder === here);
  if (!lives && new SessionHistory(options.folder, { name, folder: here }).exists) {
    const others = named.length === 0 ? "" : ` ${sayElsewhere(name, named)}`;
    const show = `granary sessions show ${shellWord(name)}`;
    throw unknownSession(`There is no session ${name} in the hub: it has ended, and ${show} has its history.${others}`);
  }
  return chooseSession(known, wish, { where: " in the hub" }).session;
}
