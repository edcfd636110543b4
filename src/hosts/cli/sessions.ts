import { extname } from "node:path";
import type { Interrupted, UndoneCells } from "../../hub/server/session-requests.ts";
import type { HubFacts, SessionFacts } from "../../hub/session-facts.ts";
import { argumentsOrHelp } from "./command/arguments-or-help.ts";
import { type CommandContext, typedPath } from "./command/command-context.ts";
import { exitCodes } from "./command/exit-codes.ts";
import { say } from "./command/say.ts";
import { UsageError } from "./command/usage-error.ts";
import { write } from "./command/write.ts";
import { askRunningHub } from "./hub/hub-control.ts";
import { sessionTable, workLines } from "./hub/session-table.ts";
import { sayWhere, typeAgain, typedSession } from "./sessions/typed-session.ts";

const options = {
  json: { type: "boolean" },
  quiet: { type: "boolean", short: "q" },
  cwd: { type: "string" },
  force: { type: "boolean" },
  overwrite: { type: "boolean" },
  all: { type: "boolean" },
  to: { type: "string" },
} as const;

/** `granary sessions` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const typed = argumentsOrHelp(args, options, help, context);
  if (typed === null) return exitCodes.ok;
  const { values, positionals } = typed;
  const [action = "list", name, path, ...more] = positionals;
  if (action === "list") {
    if (name !== undefined) throw new UsageError(`granary sessions list takes no name, but got ${name}.`);
    return values.quiet ? listNames(context) : list(context, values.json ?? false);
  }
  if (!actions.includes(action)) throw new UsageError(`granary sessions takes ${actions.join(", ")}; got ${action}.`);
  if (name === undefined) throw new UsageError(`granary sessions ${action} needs the name of a session.`);
  if (more.length > 0 || (path !== undefined) !== (action === "save")) throw new UsageError(usageOf(action));
  if (values.to !== undefined && action !== "undo") throw new UsageError("--to is for granary sessions undo.");
  if (values.all && action !== "save" && action !== "show")
    throw new UsageError("--all is for granary sessions show and granary sessions save.");
  const wish = typedSession(name, values.cwd, context, { onlyLooks: action === "show" || action === "save" });
  const tell = (document: object, sentence: string): Promise<void> =>
    say(context.stdout, values.json ? `${JSON.stringify(document)}\n` : `${sentence}\n`);
  switch (action) {
    case "show": {
      const { showSession } = await import("./sessions/show-session.ts");
      const shown = await showSession(wish, context, values);
      await write(context.stdout, values.json ? `${JSON.stringify(shown.document)}\n` : shown.text);
      return exitCodes.ok;
    }
    case "undo": {
      const { folder, restoredTo, notices } = await ask<UndoneCells>("undo", { ...wish, to: lastToKeep(values.to) });
      const where = sayWhere(folder, context);
      const sentences = where === "" ? notices : [`The session ${name}${where}:`, ...notices];
      await tell({ restoredTo, notices }, sentences.join("\n"));
      return exitCodes.ok;
    }
    case "save": {
      const file = typedPath(path ?? "", context);
      if (extname(file) !== ".ipynb")
        throw new UsageError(`A saved session is a notebook: use a name that ends with .ipynb, not ${path}.`);
      const { findCells } = await import("./sessions/find-cells.ts");
      const { saveCells, saySaved } = await import("../../hub/history/save-history.ts");
      const { folder, cells } = await findCells(wish, context);
      const { overwrite = false, all = false } = values;
      const saved = await saveCells(cells, file, { overwrite, all });
      const where = sayWhere(folder, context);
      const of = where === "" ? "" : ` of the session ${name}${where}`;
      await tell({ path: file, ...saved, folder }, saySaved(saved, file, { all: "--all", of }));
      return exitCodes.ok;
    }
    case "interrupt": {
      const { interrupted, folder } = await ask<Interrupted>("interrupt", wish);
      const where = sayWhere(folder, context);
      const sentence =
        interrupted === null ? `Nothing was running in ${name}${where}.` : `Interrupted ${interrupted}${where}.`;
      await tell({ interrupted }, sentence);
      return exitCodes.ok;
    }
    default: {
      const { folder } = await ask<{ readonly folder: string }>("stopSession", {
        ...wish,
        force: values.force ?? false,
      });
      const again = typeAgain({ name, folder }, context);
      const sentence = `Stopped the session ${name}${sayWhere(folder, context)}. Its history stays: granary sessions show ${again}`;
      await tell({ stopped: name }, sentence);
      return exitCodes.ok;
    }
  }

  async function ask<Answer>(method: string, params: object): Promise<Answer> {
    const answer = await askRunningHub<Answer>(context, method, params);
    if (answer === null) throw new UsageError(`There is no session ${name}: no hub runs. See: granary hub --help`);
    return answer;
  }
}

const actions = ["list", "show", "interrupt", "undo", "stop", "save"];

/** The number of a cell, or the id of its execution; null when none was typed. */
function lastToKeep(typed: string | undefined): number | string | null {
  if (typed === undefined) return null;
  if (/^\d{1,15}$/.test(typed)) return Number(typed);
  if (/^run-\d{1,15}$/.test(typed)) return typed;
  throw new UsageError(`--to takes the number of the last cell to keep, not ${typed}.`);
}

function usageOf(action: string): string {
  return action === "save"
    ? "granary sessions save takes a name and a file, as in: granary sessions save etl etl.ipynb"
    : `granary sessions ${action} takes one name.`;
}

async function list(context: CommandContext, isJson: boolean): Promise<number> {
  const facts = await askRunningHub<HubFacts>(context, "status");
  const sessions: readonly SessionFacts[] = facts?.sessions ?? [];
  const work = facts?.work ?? [];
  const table = sessions.length === 0 ? `${none}\n` : sessionTable(sessions, Date.now());
  const text = `${table}${workLines(work, Date.now())}`;
  await write(context.stdout, isJson ? `${JSON.stringify({ sessions, work })}\n` : text);
  return exitCodes.ok;
}

/** For scripts and completions. A name with a line break would be two. */
async function listNames(context: CommandContext): Promise<number> {
  const facts = await askRunningHub<HubFacts>(context, "status");
  const names = new Set((facts?.sessions ?? []).map(({ name }) => name).filter((name) => !/[\r\n]/.test(name)));
  await write(context.stdout, [...names].map((name) => `${name}\n`).join(""));
  return exitCodes.ok;
}

const none = "There are no sessions. This starts one: granary run --session NAME -c CODE";

const help = `Lists the sessions in the hub, and looks after them. granary ps is short for it.

Usage:
  granary sessions [list] [--quiet] [--json]
  granary sessions show NAME            what runs, the last cells, and the
                                        states that undo can restore
  granary sessions interrupt NAME|ID    interrupt the running cell, or a command
  granary sessions undo NAME [--to N]   take back the last cell, or all cells
                                        after cell N, as show numbers them
  granary sessions stop NAME            end its Python; the history stays
  granary sessions save NAME FILE.ipynb the history as a notebook, without cells
                                        that were undone or ran before a restart

A session belongs to a folder: a name means the one in the current folder, or in
that of --cwd. show and save also take the only one of that name elsewhere, and
work after its kernel has ended.
undo puts variables back, not files; undo --to a later cell takes an undo back.
A cell that was undone gives its number back; show marks it. --to also takes the
id of an execution, such as run-7, which is never used twice.

Options:
      --cwd DIR     the folder of the session
      --force       stop it also while a cell runs
      --overwrite   save over an existing file
      --all         show all cells; save also those that were undone or ran
                    before a restart, with tags so that a run skips them
      --to N        undo all cells after this one; 0 for all
  -q, --quiet       print only the names of the sessions, one on each line
      --json        print one JSON document, for programs
  -h, --help        show this

Examples:
  granary sessions
  granary sessions show etl
  granary sessions save etl etl.ipynb
  granary sessions stop etl

More: granary look NAME, granary attach NAME, granary wait ID, granary hub

The JSON document:
  list: { sessions: [{ name, folder, kernel, generation, state, work, clients,
          cells, lastCell, lastUse, checkpoints }],
          work: commands and notebooks that run }
  show: { session: null or as above, history: [{ id, by, at, code, status,
          durationMs, executionCount, generation, outputs, undone }] }
  undo: { restoredTo, notices }
  interrupt: { interrupted }
  stop: { stopped }
  save: { path, cells, leftOut, beforeRestart, folder }

Exit codes:
  0 done      2 wrong usage      3 Granary failed, or a cell is running
`;
