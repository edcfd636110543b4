import { rm } from "node:fs/promises";
import { findHistory } from "../../../hub/history/find-history.ts";
import type { SessionFacts } from "../../../hub/session-facts.ts";
import type { SessionWish } from "../../../hub/session-wish.ts";
import { granaryHome } from "../../../settings/granary-home.ts";
import { isGranaryError } from "../../../support/granary-error.ts";
import type { CommandContext } from "../command/command-context.ts";
import { UsageError } from "../command/usage-error.ts";
import { askRunningHub } from "../hub/hub-control.ts";
import { typeAgain } from "./typed-session.ts";

/** Deletes the history of a session that has ended: its code and its outputs. */
export async function deleteHistory(
  wish: SessionWish,
  context: CommandContext,
): Promise<{ readonly folder: string; readonly cells: number }> {
  const living = await askRunningHub<SessionFacts>(context, "describe", wish).catch((error) => {
    if (isGranaryError(error, "unknown-session")) return null;
    throw error;
  });
  if (living !== null) {
    const stop = `granary sessions stop ${typeAgain(living, context)}`;
    throw new UsageError(`The session ${living.name} is alive, and needs its history. End it first: ${stop}`);
  }
  const { path, owner, cells } = await findHistory(granaryHome(context.env), wish);
  await rm(path, { force: true });
  return { folder: owner.folder, cells: cells.length };
}
