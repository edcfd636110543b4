import { GranaryError } from "../../support/granary-error.ts";
import type { Queued } from "../cell/cell-queue.ts";
import type { SharedRunOptions } from "./run-options.ts";

/** Why a cell does not even get into the queue; null when it does. */
export function whyRefused(
  { reset, sharedWith = [], onlyAfter }: SharedRunOptions,
  session: {
    readonly whyClosed: string | null;
    readonly queue: readonly Queued[];
    /** A tool wants the cell that a cell of this session has called, and waits for. */
    readonly waitsForItself: boolean;
  },
): GranaryError | null {
  if (session.whyClosed !== null) {
    return new GranaryError("session-closed", `${session.whyClosed} Open the session again to go on.`);
  }
  if (session.waitsForItself) return new GranaryError("waits-for-itself", waitsForItself);
  if (!reset) return null;
  if (sharedWith.length > 0) return new GranaryError("session-shared", sharedReset(sharedWith));
  // Cells that belong together come one after the other, each with a reset if they like.
  const isOfItsOwn = onlyAfter === undefined;
  const anotherAwaitsReset = session.queue.some(({ awaitsReset }) => awaitsReset);
  return isOfItsOwn && anotherAwaitsReset ? new GranaryError("reset-in-progress", resetInProgress) : null;
}

const waitsForItself =
  "A cell of this session waits for the tool that wants to run this, so both would wait for ever. " +
  "Run it in another session, or write the code into the cell itself.";

function sharedReset(others: readonly string[]): string {
  return (
    `This session is also used by ${others.join(", ")}, whose variables a reset would delete. ` +
    "Use another session, or reset with force if that is what everybody wants."
  );
}

const resetInProgress =
  "A reset of this session is already under way. Wait for it, and run the cell without asking for another.";
