import type { LocalSession } from "../../../session/local-session.ts";
import { GranaryError } from "../../../support/granary-error.ts";
import type { JsonObject, JsonValue } from "../../../support/json/value.ts";
import type { TableRows } from "../api/variables.ts";

export interface TableWish {
  /** The name of the variable. */
  readonly name: string;
  readonly start: number;
  readonly count: number;
  /** From 0, without the index; null for the order of the table. */
  readonly column: number | null;
  readonly isDescending: boolean;
}

/** Some rows of a variable. Python computes them between cells; no history contains the question. */
export async function tableRows(session: LocalSession, wish: TableWish): Promise<TableRows> {
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(wish.name)) throw noTable("This is no name of a variable.");
  if (session.isBusy) throw new GranaryError("session-busy", busy);
  const order = wish.column === null ? "None, False" : `${int(wish.column)}, ${wish.isDescending ? "True" : "False"}`;
  const reader = '__import__("granary_runner.values.table_pages", fromlist=["page"]).page';
  const expression = `${reader}(${wish.name}, ${int(wish.start)}, ${int(wish.count)}, ${order})`;
  let answer: JsonObject = {};
  const { failure } = await session.run("", {
    terms: { silent: true, unnumbered: true, withoutInput: true, expressions: { page: expression } },
    forms: "all",
    uncaptured: true,
    timeoutMs: 30_000,
    onEvent: (event) => {
      if (event.type === "done") answer = (event.expressions?.page ?? {}) as JsonObject;
    },
  }).result;
  if (failure !== null) throw noTable(failure.message);
  const rows = (answer.data as JsonObject | undefined)?.["application/json"];
  if (answer.status !== "ok" || rows === undefined) throw noTable(sentenceOf(answer));
  return rows as unknown as TableRows;
}

const busy = "A cell is running. Rows can be read when it has ended.";

function int(value: number): number {
  return Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

function sentenceOf({ ename, evalue }: Readonly<Record<string, JsonValue>>): string {
  return ename === undefined ? "The kernel cannot read tables." : `${String(ename)}: ${String(evalue)}`;
}

function noTable(message: string): GranaryError {
  return new GranaryError("invalid-argument", message);
}
