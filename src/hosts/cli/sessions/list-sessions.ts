import { storedHistories } from "../../../hub/history/find-history.ts";
import type { HubFacts, SessionFacts } from "../../../hub/session-facts.ts";
import { firstLineOf } from "../../../session/recent-cells.ts";
import { granaryHome } from "../../../settings/granary-home.ts";
import type { CommandContext } from "../command/command-context.ts";
import { write } from "../command/write.ts";
import { askRunningHub } from "../hub/hub-control.ts";
import { type EndedSession, sessionTable, workLines } from "../hub/session-table.ts";

interface ListOptions {
  readonly json?: boolean | undefined;
  /** Only names, one on each line. */
  readonly quiet?: boolean | undefined;
  /** Also sessions that have ended, as long as there is their history. */
  readonly all?: boolean | undefined;
}

/** `granary sessions list` */
export async function listSessions({ json, quiet, all }: ListOptions, context: CommandContext): Promise<void> {
  const facts = await askRunningHub<HubFacts>(context, "status");
  const sessions = facts?.sessions ?? [];
  const work = facts?.work ?? [];
  const hasToLook = all === true || (sessions.length === 0 && !json && !quiet);
  const ended = hasToLook ? await endedSessions(sessions, context) : [];
  const listed = all ? ended : [];
  if (quiet) return write(context.stdout, namesOf([...sessions, ...listed]));
  if (json) return write(context.stdout, `${JSON.stringify({ sessions, work, ...(all && { ended }) })}\n`);
  const isEmpty = sessions.length + listed.length === 0;
  const table = isEmpty ? `${sayNone(ended.length)}\n` : sessionTable(sessions, Date.now(), listed);
  return write(context.stdout, `${table}${workLines(work, Date.now())}`);
}

async function endedSessions(
  living: readonly SessionFacts[],
  { env }: CommandContext,
): Promise<readonly EndedSession[]> {
  const lives = new Set(living.map(({ name, folder }) => JSON.stringify([name, folder])));
  const histories = await storedHistories(granaryHome(env));
  return histories
    .filter(({ owner: { name, folder } }) => !lives.has(JSON.stringify([name, folder])))
    .map(({ owner, cells }) => {
      const last = cells.at(-1);
      const lastCell = last === undefined ? null : firstLineOf(last.code);
      return { ...owner, cells: cells.length, lastCell, lastUse: Date.parse(last?.at ?? "") || 0 };
    })
    .sort((one, other) => other.lastUse - one.lastUse);
}

/** For scripts and completions. A name with a line break would be two. */
function namesOf(sessions: readonly { readonly name: string }[]): string {
  const names = new Set(sessions.map(({ name }) => name).filter((name) => !/[\r\n]/.test(name)));
  return [...names].map((name) => `${name}\n`).join("");
}

function sayNone(ended: number): string {
  const start = "This starts one: granary run --session NAME -c CODE";
  if (ended === 0) return `There are no sessions. ${start}`;
  return `There are no sessions. ${start}\nEnded sessions: granary sessions --all`;
}
