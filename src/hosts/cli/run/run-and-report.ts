import { isGranaryError } from "../../../support/granary-error.ts";
import type { CommandContext } from "../command/command-context.ts";
import { exitCodeOfError, exitCodes } from "../command/exit-codes.ts";
import type { StopRequest } from "../command/stop-request.ts";
import { UsageError } from "../command/usage-error.ts";
import type { RunEnd } from "../report/report.ts";
import type { RunArguments } from "./run-arguments.ts";
import type { RunClient } from "./run-in-hub.ts";

/** A run from its arguments to the exit code. It takes over the request to stop. */
export async function runAndReport(args: RunArguments, client: RunClient): Promise<number> {
  const { stop, report } = client;
  try {
    const end = await endOfRun(args, client);
    await report.runEnds(end);
    return await exitCodeOf(end, stop);
  } finally {
    stop[Symbol.dispose]();
  }
}

async function endOfRun(args: RunArguments, client: RunClient): Promise<RunEnd> {
  try {
    return await run(args, client);
  } catch (error) {
    const end: RunEnd = client.stop.reason === null ? endWith(error) : { ...nothingRan, status: "cancelled" };
    const told = isGranaryError(error, "hub-failed") ? error : end.error;
    if (told !== null) await client.report.note(`granary: ${told.message}`);
    return end;
  }
}

/** Loads only one of both ways. */
async function run(args: RunArguments, client: RunClient): Promise<RunEnd> {
  if (args.session !== undefined) {
    const { runInHub } = await import("./run-in-hub.ts");
    const end = wantsHub(args, client.context) ? await runInHub(args, client) : null;
    if (end !== null) return end;
    if (args.background)
      throw new UsageError("--background needs the hub, and GRANARY_HUB or the setting hub.use is never.");
  }
  const { runTypedCells } = await import("./run-typed-cells.ts");
  return runTypedCells(args, client);
}

/** Whether the session is one of the hub: a kernel that runs elsewhere is joined directly. */
export function wantsHub({ session, attach }: RunArguments, { env }: CommandContext): boolean {
  return session !== undefined && attach === undefined && env.GRANARY_HUB !== "never";
}

async function exitCodeOf(end: RunEnd, stop: StopRequest): Promise<number> {
  // A failure of the last write is reported in the next turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  if (end.error !== null && exitCodeOfError(end.error.code) === exitCodes.usage) return exitCodes.usage;
  if (end.status === "cancelled" || stop.nobodyReads) return stop.exitCode ?? exitCodes.cancelled;
  return end.exitStatus ?? exitCodes[end.status];
}

const nothingRan: RunEnd = {
  status: "failed",
  error: null,
  kernel: null,
  skippedCells: 0,
  unfinishedThreads: [],
  exitStatus: null,
};

/** A `GranaryError` becomes the run's end; any other error is a bug, and is thrown again. */
export function endWith(error: unknown): RunEnd {
  if (!isGranaryError(error)) throw error;
  return { ...nothingRan, error: { code: error.code, message: error.message } };
}
