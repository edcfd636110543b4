import { z } from "zod";
import type { Checkpoint } from "../session/checkpoints/timeline.ts";
import type { Session } from "../session/session.ts";
import type { SharedSession } from "../session/shared-session.ts";
import { requireSession } from "./context/find-session.ts";
import { refuseUndo } from "./context/refuse-busy.ts";
import { sayCheckpoints } from "./context/say-checkpoints.ts";
import { sessionInput } from "./context/session-input.ts";
import type { ToolContext } from "./context/tool-context.ts";
import { defineTool } from "./definition/define-tool.ts";
import type { Tool, ToolResult } from "./definition/tool.ts";

export interface KernelsDetails {
  readonly kernels: readonly KernelDetails[];
}

interface KernelDetails {
  readonly session: string;
  readonly cwd: string;
  readonly backend: string;
  readonly language: string;
  readonly version: string;
  readonly pid: number | null;
  readonly state: string;
  readonly generation: number;
  /** The states that can be restored; the oldest first. */
  readonly checkpoints: readonly Checkpoint[];
}

/** Lists kernels, and interrupts or ends one that hangs. */
export function createKernelsTool(context: ToolContext): Tool<KernelsDetails> {
  return defineTool({
    name: "kernels",
    title: "Kernels",
    description,
    input: z.strictObject({
      action: z.enum(["list", "interrupt", "undo", "restart", "shutdown"]).optional(),
      to: z.number().int().nonnegative().optional().describe("last cell to keep"),
      session: sessionInput.optional(),
      cwd: z.string().optional(),
      force: z.boolean().optional().describe("also if others use it"),
    }),
    output: z.object({ kernels: z.array(z.unknown()) }),
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    async run({ action = "list", to, session: name, cwd, force = false }, { signal }) {
      if (action === "list") return listing(context, null);
      const session = requireSession(context, name, cwd);
      if (action === "interrupt") return listing(context, await interrupt(session));
      if (action === "undo") return listing(context, await undo(context, session, to, signal));
      await end(context, session, { force, signal, forever: action === "shutdown" });
      return listing(context, ended(session.id, action));
    },
  });
}

const description =
  'Lists kernels, interrupts the running cell, undoes cells, or ends a kernel: its variables are lost. {"action": "restart"}';

/** `to` is the number of the last cell that counts; without it, the last cell is undone. */
async function undo(
  context: ToolContext,
  shared: SharedSession,
  to: number | undefined,
  signal: AbortSignal | undefined,
): Promise<string> {
  const session = sessionOf(context, shared);
  refuseUndo(context, session);
  const { failure, notices } = await session.restore({ cell: to }, { signal }).result;
  if (failure !== null) throw failure.cause;
  return notices.join("\n");
}

function sessionOf(context: ToolContext, shared: SharedSession): Session {
  const key = context.runtime.keyOf(shared);
  return context.sessionFor(shared.id, key?.cwd, key?.kernelspec);
}

async function interrupt(session: SharedSession): Promise<string> {
  if (!session.isBusy) return `Nothing was running in session ${session.id}.`;
  await session.interrupt();
  return `The running cell of session ${session.id} was interrupted.`;
}

interface Ending {
  readonly force: boolean;
  /** Whether to release the session. */
  readonly forever: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Requests the reset first, so that a refusal stops nothing; then running and queued cells make way for it. */
async function end(context: ToolContext, shared: SharedSession, { force, forever, signal }: Ending): Promise<void> {
  const session = sessionOf(context, shared);
  const reset = session.reset({ force, signal });
  if (!reset.isOver) await shared.stop(reset);
  const { failure } = await reset.result;
  if (failure !== null) throw failure.cause;
  if (forever) await context.shutDown(session);
}

function ended(name: string, action: "restart" | "shutdown"): string {
  return action === "restart"
    ? `Python of session ${name} was ended; the next cell gets a fresh one.`
    : `Python of session ${name} was shut down.`;
}

function listing({ runtime }: ToolContext, news: string | null): ToolResult<KernelsDetails> {
  const kernels = runtime.sessions.flatMap((session) => kernelDetails(session, runtime.keyOf(session)?.cwd ?? ""));
  const lines = kernels.length === 0 ? ["(no kernels)"] : kernels.map(line);
  return {
    content: [{ type: "text", text: (news === null ? lines : [news]).join("\n") }],
    isError: false,
    details: { kernels },
    structured: { kernels: kernels.map(({ session, state }) => ({ session, state })) },
  };
}

function kernelDetails(session: SharedSession, cwd: string): readonly KernelDetails[] {
  const { id, info, generation, isBusy } = session;
  if (info === null) return [];
  const { backend, language, version, pid } = info;
  const state = isBusy ? "busy" : "idle";
  const checkpoints = session.checkpoints();
  return [{ session: id, cwd, backend, language, version, pid, state, generation, checkpoints }];
}

/** `main: idle, python 3.12.1 (runner, pid 4711) in /home/ada/project` */
function line({ session, state, language, version, backend, pid, cwd, checkpoints }: KernelDetails): string {
  const process = pid === null ? backend : `${backend}, pid ${pid}`;
  const states = sayCheckpoints(checkpoints);
  return `${session}: ${state}, ${language} ${version} (${process}) in ${cwd}${states === null ? "" : `\n  ${states}`}`;
}
