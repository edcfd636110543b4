import type { CellStack, StackFrame } from "../../kernel/kernel.ts";
import { sayBar } from "../../output/progress-bar.ts";
import { sayBytes } from "../../output/text/say-size.ts";
import { foldedStack } from "../../output/traceback/folded-stack.ts";
import type { Execution } from "../../session/execution/execution.ts";
import type { ExecutionLook } from "../../session/execution/look-inside.ts";
import { interactiveProgram } from "../../support/process/interactive-program.ts";
import type { TreeProcess } from "../../support/process/process-tree.ts";
import { sayCount } from "../../support/say-count.ts";
import { nameOf, sayDuration, soFar } from "./say-standing.ts";

const tailBytes = 600;

/** Where running work is and what it does, for a model or a person to read. */
export function lookText(execution: Execution, inside: ExecutionLook | null): string {
  const { id, sessionId, status, isOver } = execution;
  const time = isOver ? null : soFar(execution);
  const state = `${isOver ? "over: " : ""}${status}${time === null ? "" : `, ${time} so far`}`;
  const head = `${id} is ${state} (session ${sessionId}): ${nameOf(execution)}`;
  const tail = execution.tail(tailBytes).trimEnd();
  const parts = [
    head,
    ...(inside === null ? [] : [...stackLines(inside, execution.cell.code), ...processLines(inside)]),
    ...execution.bars().map((bar) => `progress: ${sayBar(bar)}`),
    tail === "" ? (execution.isOver ? "" : "It has printed nothing yet.") : `last output:\n${tail}`,
  ];
  return parts.filter((part) => part !== "").join("\n");
}

function stackLines({ stack, whyNoStack }: ExecutionLook, code: string): readonly string[] {
  if (stack === null) return whyNoStack === null ? [] : [whyNoStack];
  return [...lastKnown(stack), ...foldedStack(withSources(stack.frames, code)), ...threadLines(stack)];
}

/** A noted stack has no source lines; those of the running cell are known here. */
function withSources(frames: readonly StackFrame[], code: string): readonly StackFrame[] {
  const lines = code.split("\n");
  const cell = frames[0]?.file;
  return frames.map((frame) => {
    const isOfCell = frame.source === null && frame.file === cell && frame.line !== null && /^<cell /.test(frame.file);
    return isOfCell ? { ...frame, source: lines[(frame.line ?? 0) - 1]?.trim() || null } : frame;
  });
}

/** Python cannot answer while C code holds the interpreter lock. */
function lastKnown({ lastKnownAt, frames }: CellStack): readonly string[] {
  if (lastKnownAt === null) return [];
  const why = "C code holds Python's interpreter lock, so Python cannot answer";
  if (frames.length === 0) return [`${why}. ${whyUnknown}`];
  return [`${why}. The stack is the last one known, ${sayDuration(Date.now() - lastKnownAt)} old:`];
}

/** The runner notes the stack for the first time some milliseconds after the beginning of a cell. */
const whyUnknown =
  process.platform === "linux"
    ? "It has held the lock almost since the cell began: no stack was noted before."
    : "Only on Linux is the last stack known.";

function threadLines({ threads }: CellStack): readonly string[] {
  return threads.flatMap(({ name, frames }) => [
    `thread ${name ?? "without a name"}:`,
    ...foldedStack(frames.slice(-3)),
  ]);
}

const mostChildren = 10;
const longestCommand = 160;

function processLines({ processes, copies = 0 }: ExecutionLook): readonly string[] {
  const [root, ...children] = processes ?? [];
  if (root === undefined || processes === null) return [];
  const cpu = processes.reduce((sum, { cpuPercent }) => sum + cpuPercent, 0);
  const memory = processes.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
  const more = children.length - mostChildren;
  return [
    `CPU ${cpu} %, memory ${sayBytes(memory)}, process ${root.pid}${children.length === 0 ? "" : " and its children:"}`,
    ...children.slice(0, mostChildren).map((child) => sayChild(child, root)),
    ...(more > 0 ? [`  … ${more} more`] : []),
    ...(copies > 0 ? [`${sayCount(copies, "sleeping copy", "sleeping copies")} for undo, not counted here`] : []),
  ];
}

function sayChild({ pid, command, cpuPercent, isStopped }: TreeProcess, root: TreeProcess): string {
  // A fork has the command line of Granary's own process.
  const isFork = command.join("\0") === root.command.join("\0");
  const line = isFork ? `a fork of ${root.pid}` : command.join(" ").replaceAll(/\s+/g, " ");
  const shown = line.length > longestCommand ? `${line.slice(0, longestCommand)}…` : line;
  const kind = interactiveProgram(command);
  const waits = kind === null ? (isStopped ? "stopped" : null) : `${kind}, which waits for a terminal; there is none`;
  return `  ${pid} ${shown} (CPU ${cpuPercent} %${waits === null ? "" : `; ${waits}`})`;
}
