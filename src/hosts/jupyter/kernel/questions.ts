import type { JupyterMessage } from "../../../kernel/jupyter/messages/message.ts";
import { countOf, stringOf } from "../../../kernel/jupyter/messages/to-event.ts";
import { toCodePoints, toUnits } from "../../../kernel/positions.ts";
import type { Execution } from "../../../session/execution/execution.ts";
import type { LocalSession } from "../../../session/local-session.ts";
import type { JsonObject, JsonValue } from "../../../support/json/value.ts";

/** The sources of answers. */
export interface Asked {
  readonly session: LocalSession;
  readonly kernelInfo: JsonObject;
  executions(): readonly Execution[];
}

type Answer = (content: JsonObject, asked: Asked) => JsonObject | Promise<JsonObject>;

/** The answers to Jupyter's requests that run no cell, by the type of the request. */
const answers: Readonly<Record<string, Answer>> = {
  kernel_info_request: (_, { kernelInfo }) => kernelInfo,
  complete_request: complete,
  inspect_request: inspect,
  is_complete_request: isComplete,
  comm_info_request: openComms,
  history_request: history,
};

/** Requests that need Python, and so have to wait for the client's own cells, as in ipykernel. */
export const needPython: readonly string[] = [
  "complete_request",
  "inspect_request",
  "is_complete_request",
  "comm_info_request",
];

/** The content of the reply; null for a request that has none, or is unknown. */
export async function answerTo({ header, content }: JupyterMessage, asked: Asked): Promise<JsonObject | null> {
  const answer = answers[header.msg_type];
  if (answer === undefined) return null;
  try {
    return await answer(content, asked);
  } catch (error) {
    // The kernel has died, or began another client's cell just now.
    const evalue = error instanceof Error ? error.message : String(error);
    return { status: "error", ename: "GranaryError", evalue, traceback: [] };
  }
}

async function complete(content: JsonObject, { session }: Asked): Promise<JsonObject> {
  const code = stringOf(content.code);
  const cursor = countOf(content.cursor_pos) ?? toCodePoints(code, code.length);
  const { matches, start, end, details = [] } = await session.complete(code, toUnits(code, cursor));
  const range = { start: toCodePoints(code, start), end: toCodePoints(code, end) };
  const types = details.map(({ kind, signature = "" }, index) => ({
    ...range,
    text: matches[index] ?? "",
    type: kind || "<unknown>",
    signature,
  }));
  const metadata: JsonObject = types.length > 0 ? { _jupyter_types_experimental: types } : {};
  return { status: "ok", matches, cursor_start: range.start, cursor_end: range.end, metadata };
}

async function inspect(content: JsonObject, { session }: Asked): Promise<JsonObject> {
  const code = stringOf(content.code);
  const cursor = toUnits(code, countOf(content.cursor_pos) ?? 0);
  const data = await session.inspect(code, cursor, undefined, content.detail_level === 1 ? 1 : 0);
  return { status: "ok", found: Object.keys(data).length > 0, data, metadata: {} };
}

async function isComplete({ code }: JsonObject, { session }: Asked): Promise<JsonObject> {
  const { status, indent } = await session.isComplete(stringOf(code));
  return indent === undefined ? { status } : { status, indent };
}

/** All of them, or those of one target. A client that comes later asks each for its state. */
async function openComms({ target_name: wanted }: JsonObject, { session }: Asked): Promise<JsonObject> {
  const open = Object.entries((await session.kernel?.comms?.list()) ?? {});
  const asked = typeof wanted === "string" && wanted !== "" ? open.filter(([, target]) => target === wanted) : open;
  return { status: "ok", comms: Object.fromEntries(asked.map(([id, target_name]) => [id, { target_name }])) };
}

/** Inputs of this session, as `[session, line, input]`, the oldest first. */
async function history(content: JsonObject, { executions }: Asked): Promise<JsonObject> {
  const over = executions().filter(({ isOver }) => isOver);
  const results = await Promise.all(over.map(({ result }) => result));
  const cells = over
    .map(({ cell }, index) => ({ code: cell.code, count: results[index]?.executionCount ?? 0 }))
    .filter(({ code, count }) => code !== "" && count > 0);
  const chosen = choose(cells, content);
  const withOutput = content.output === true;
  return { status: "ok", history: chosen.map(({ code, count }) => [1, count, withOutput ? [code, null] : code]) };
}

interface PastCell {
  readonly code: string;
  readonly count: number;
}

function choose(cells: readonly PastCell[], content: JsonObject): readonly PastCell[] {
  const most = countOf(content.n) ?? cells.length;
  switch (content.hist_access_type) {
    case "range": {
      const [start, stop] = [countOf(content.start) ?? 0, countOf(content.stop) ?? Number.POSITIVE_INFINITY];
      return cells.filter(({ count }) => count >= start && count < stop);
    }
    case "search": {
      const pattern = glob(content.pattern);
      const found = cells.filter(({ code }) => pattern.test(code));
      const unique = content.unique === true ? lastOfEach(found) : found;
      return unique.slice(-most);
    }
    default:
      return cells.slice(-most);
  }
}

function lastOfEach(cells: readonly PastCell[]): readonly PastCell[] {
  return [...new Map(cells.map((cell) => [cell.code, cell])).values()];
}

/** IPython's patterns have `*` and `?`. */
function glob(pattern: JsonValue | undefined): RegExp {
  const escaped = stringOf(pattern).replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", "[^]*").replaceAll("?", "[^]")}$`);
}
