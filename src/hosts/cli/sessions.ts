import { stat } from "node:fs/promises";
import { extname } from "node:path";
import type { Interrupted, UndoneCells } from "../../hub/server/session-requests.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { sayCount } from "../../support/say-count.ts";
import { shellWord } from "../../support/shell-word.ts";
import { argumentsOrHelp } from "./command/arguments-or-help.ts";
import { type CommandContext, typedPath } from "./command/command-context.ts";
import { exitCodes } from "./command/exit-codes.ts";
import { say } from "./command/say.ts";
import { saveWithin } from "./command/typed-file.ts";
import { UsageError } from "./command/usage-error.ts";
import { write } from "./command/write.ts";
import { askRunningHub } from "./hub/hub-control.ts";
import { refuseExisting } from "./notebook/files/existing-file.ts";
import { sayFolder, typeAgain, typedSession } from "./sessions/typed-session.ts";

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
    refuseOptions(values, "list", listOptions);
    if (values.quiet && values.json) throw new UsageError("Give one of --quiet and --json.");
    const { listSessions } = await import("./sessions/list-sessions.ts");
    await listSessions(values, context);
    return exitCodes.ok;
  }
  if (!actions.includes(action)) throw new UsageError(`granary sessions takes ${actions.join(", ")}; got ${action}.`);
  if (name === undefined) throw new UsageError(`granary sessions ${action} needs the name of a session.`);
  if (more.length > 0 || (path !== undefined) !== (action === "save")) throw new UsageError(usageOf(action));
  refuseOptions(values, action, optionsOf[action] ?? []);
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
      const where = sayFolder(folder, context);
      const sentences = where === "" ? notices : [`The session ${name}${where}:`, ...notices];
      await tell({ restoredTo, notices }, sentences.join("\n"));
      return exitCodes.ok;
    }
    case "save": {
      const file = typedPath(path ?? "", context);
      if (extname(file) !== ".ipynb")
        throw new UsageError(`A saved session is a notebook: use a name that ends with .ipynb, not ${path}.`);
      const { findSessionCells } = await import("./sessions/find-session-cells.ts");
      const { saveCells, saySaved } = await import("../../hub/history/save-history.ts");
      const { folder, cells, session } = await findSessionCells(wish, context);
      if (session !== null && cells.length === 0) throw noCellYet(name);
      const { overwrite = false, all = false } = values;
      const there = await stat(file).catch(() => null);
      refuseExisting(there, path ?? "", { mayReplace: overwrite, remedy: "Add --overwrite, or choose another name." });
      // Also for a session that has ended: the history does not say whether it ran in a sandbox.
      const within = await saveWithin(file, context);
      const saved = await saveCells(cells, file, { overwrite, all, within });
      const where = sayFolder(folder, context);
      const of = where === "" ? "" : ` of the session ${name}${where}`;
      await tell({ path: file, ...saved, folder }, saySaved(saved, file, { all: "--all", of }));
      return exitCodes.ok;
    }
    case "interrupt": {
      const { interrupted, folder } = await ask<Interrupted>("interrupt", wish);
      const where = sayFolder(folder, context);
      const sentence =
        interrupted === null ? `Nothing was running in ${name}${where}.` : `Interrupted ${interrupted}${where}.`;
      await tell({ interrupted }, sentence);
      return exitCodes.ok;
    }
    case "delete": {
      const { deleteHistory } = await import("./sessions/delete-history.ts");
      const { folder, cells } = await deleteHistory(wish, context);
      const sentence = `Deleted the history of the session ${name}${sayFolder(folder, context)}: ${sayCount(cells, "cell")}.`;
      await tell({ deleted: name, cells }, sentence);
      return exitCodes.ok;
    }
    default: {
      const { folder } = await ask<{ readonly folder: string }>("stopSession", {
        ...wish,
        force: values.force ?? false,
      });
      const again = typeAgain({ name, folder }, context);
      const sentence = `Stopped the session ${name}${sayFolder(folder, context)}. Its history stays: granary sessions show ${again}`;
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

function noCellYet(name: string): GranaryError {
  const sentence = `No cell of the session ${name} has ended yet, so there is nothing to save.`;
  return new GranaryError("hub-busy", `${sentence} See what it does: granary look ${shellWord(name)}`);
}

const actions = ["list", "show", "interrupt", "undo", "stop", "save", "delete"];

/** The options of each action that needs a name. */
const optionsOf: Readonly<Record<string, readonly string[]>> = {
  show: ["json", "cwd", "all"],
  interrupt: ["json", "cwd"],
  undo: ["json", "cwd", "to"],
  stop: ["json", "cwd", "force"],
  save: ["json", "cwd", "all", "overwrite"],
  delete: ["json", "cwd"],
};

/** An option without effect may be a mistake that loses something. */
function refuseOptions(values: object, action: string, taken: readonly string[]): void {
  const other = Object.keys(values).find((name) => !taken.includes(name));
  if (other === undefined) return;
  const those = Object.keys(optionsOf).filter((each) => optionsOf[each]?.includes(other));
  const where = [...(listOptions.includes(other) ? ["list"] : []), ...those].join(", ");
  throw new UsageError(`--${other} is for granary sessions ${where}, and not for ${action}.`);
}

const listOptions = ["json", "quiet", "all"];

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

const help = `Lists the sessions in the hub, and looks after them. granary ps is short for it.

Usage:
  granary sessions [list] [--all] [--quiet | --json]
  granary sessions show NAME            what runs, the last cells, and the
                                        states that undo can restore
  granary sessions interrupt NAME|ID    interrupt the running cell, or a command
  granary sessions undo NAME [--to N]   take back the last cell, or all cells
                                        after cell N, as show numbers them
  granary sessions stop NAME            end its Python; the history stays
  granary sessions save NAME FILE.ipynb the history as a notebook, without cells
                                        that were undone or ran before a restart
  granary sessions delete NAME          delete the history of an ended session

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
      --all         list also sessions that have ended; show all cells; save
                    also those that were undone or ran before a restart, with
                    tags so that a run skips them
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
          work: commands and notebooks that run,
          ended, with --all: [{ name, folder, cells, lastCell, lastUse }] }
  show: { session: null or as above, history: [{ id, by, at, code, status,
          durationMs, executionCount, generation, outputs, undone }] }
  undo: { restoredTo, notices }
  interrupt: { interrupted }
  stop: { stopped }
  save: { path, cells, leftOut, beforeRestart, folder }
  delete: { deleted, cells }
  an error: { status: failed, error: { code, message } }

Exit codes:
  0 done      2 wrong usage      3 Granary failed, or a cell is running
`;
