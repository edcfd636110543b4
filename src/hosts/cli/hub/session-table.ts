import type { HubFacts, SessionFacts } from "../../../hub/session-facts.ts";
import { sayBytes } from "../../../output/text/say-size.ts";
import { visibleText } from "../../../output/text/visible-text.ts";
import { sayAge } from "../../../support/say-time.ts";

/** A session that has no kernel any more, and has a history. */
export interface EndedSession {
  readonly name: string;
  readonly folder: string;
  readonly cells: number;
  /** The first line of its last cell. */
  readonly lastCell: string | null;
  readonly lastUse: number;
}

/** The sessions as a table, the busy ones first, then those used last, then those that have ended. */
export function sessionTable(
  sessions: readonly SessionFacts[],
  now: number,
  ended: readonly EndedSession[] = [],
): string {
  const sorted = [...sessions].sort((one, other) => other.lastUse - one.lastUse);
  const rows = sorted.map((session) => [
    session.name,
    session.kernel === null ? "" : `${session.kernel.language} ${session.kernel.version}`,
    session.state,
    session.kernel === null || session.kernel.memoryBytes === 0 ? "" : sayBytes(session.kernel.memoryBytes),
    session.clients.length === 0 ? "" : session.clients.join(", "),
    session.state === "busy" ? "now" : `${sayAge(now - session.lastUse)} ago`,
    sayWork(session, now),
    session.sandbox ?? "",
    session.folder,
  ]);
  const endedRows = ended.map(({ name, folder, lastCell, lastUse }) => {
    return [name, "", "ended", "", "", `${sayAge(now - lastUse)} ago`, lastCell ?? "", "", folder];
  });
  const columns = ["NAME", "PYTHON", "STATE", "MEMORY", "CLIENTS", "USED", "CELL", "SANDBOX", "FOLDER"];
  const all = [columns, ...rows, ...endedRows];
  const hasSandbox = sessions.some(({ sandbox }) => sandbox !== null);
  return table(hasSandbox ? all : all.map((row) => row.filter((_, column) => columns[column] !== "SANDBOX")));
}

/** `run-7 for 3 min: df.groupby(…)`, or the last cell. */
function sayWork({ work, lastCell }: SessionFacts, now: number): string {
  const [running] = work;
  if (running === undefined) return lastCell ?? "";
  const since = running.startedAt === null ? "waits" : `for ${sayAge(now - running.startedAt)}`;
  return `${running.id} ${since}: ${running.firstLine}`;
}

/** Commands and notebooks, which need no kernel of their session: a line for each. */
export function workLines(work: HubFacts["work"], now: number): string {
  const lines = work.map(({ id, session, by, firstLine, startedAt }) => {
    const since = startedAt === null ? "waits" : `for ${sayAge(now - startedAt)}`;
    return `${id} ${since}: ${visibleText(firstLine)} (${[session, by].filter(Boolean).join(", ")})\n`;
  });
  return lines.length === 0 ? "" : `\nAlso running; granary sessions interrupt ID stops one:\n${lines.join("")}`;
}

function table(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map((cell) => visibleText(cell)));
  const widths = (shown[0] ?? []).map((_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)));
  return shown
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}
