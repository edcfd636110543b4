import { stat } from "node:fs/promises";
import { visibleLine } from "../../output/text/visible-text.ts";
import { granaryHome } from "../../settings/granary-home.ts";
import { distrustFolder, trustFolder } from "../../settings/trust/change-trust.ts";
import {
  isTrusted,
  rememberedFolders,
  type TrustedFolder,
  trustedAround,
} from "../../settings/trust/trusted-folders.ts";
import { shellWord } from "../../support/shell-word.ts";
import { argumentsOrHelp } from "./command/arguments-or-help.ts";
import type { CommandContext } from "./command/command-context.ts";
import { typedPath } from "./command/command-context.ts";
import { exitCodes } from "./command/exit-codes.ts";
import { say } from "./command/say.ts";
import { StopRequest } from "./command/stop-request.ts";
import { UsageError } from "./command/usage-error.ts";
import { folderWishes, trustQuestion } from "./trust/folder-wishes.ts";

const options = {
  yes: { type: "boolean", short: "y" },
  remove: { type: "boolean" },
  list: { type: "boolean" },
  json: { type: "boolean" },
} as const;

/** `granary trust` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const typed = argumentsOrHelp(args, options, help, context);
  if (typed === null) return exitCodes.ok;
  const { values, positionals } = typed;
  if (positionals.length > 1) throw new UsageError(`granary trust takes one folder, but got ${positionals.join(" ")}.`);
  const tell = (document: object, text: string): Promise<void> =>
    say(context.stdout, values.json ? `${JSON.stringify(document)}\n` : `${text}\n`);
  refuseTogether(values, ["list", "remove", "yes"]);
  const home = granaryHome(context.env);
  const folders = await rememberedFolders(home);
  if (values.list) {
    await tell({ folders }, folders.length === 0 ? "No folder is trusted." : folders.map(line).join("\n"));
    return exitCodes.ok;
  }
  const folder = typedPath(positionals[0] ?? ".", context);
  if (values.remove) {
    const removed = await distrustFolder(folder, home);
    const above = await trustedAround(folder, home);
    await tell(
      { folder, removed, ...(above === null ? {} : { trustedWith: above }) },
      sayRemoved(folder, removed, above),
    );
    return above === null ? exitCodes.ok : exitCodes.error;
  }
  await requireFolder(folder);
  if (await isTrusted(folder, home)) {
    await tell({ folder, trusted: true }, `${visibleLine(folder)} is trusted already.`);
    return exitCodes.ok;
  }
  const wishes = await folderWishes(folder, { env: context.env, home });
  if (!values.yes && !(await confirm(trustQuestion(wishes), positionals[0], context))) {
    await tell({ folder, trusted: false }, "Nothing was changed.");
    return exitCodes.cancelled;
  }
  const trusted = await trustFolder(folder, home);
  await tell({ folder: trusted.path, trusted: true }, `${visibleLine(trusted.path)} is trusted.`);
  return exitCodes.ok;
}

function refuseTogether(values: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  const [one, other] = names.filter((name) => values[name]);
  if (other !== undefined) throw new UsageError(`--${one} and --${other} cannot be given together.`);
}

/** @param above a folder whose trust covers this one */
function sayRemoved(folder: string, removed: boolean, above: string | null): string {
  const name = visibleLine(folder);
  if (above === null) return removed ? `${name} is no longer trusted.` : `${name} was not trusted.`;
  const remedy = `granary trust ${shellWord(visibleLine(above))} --remove`;
  return `${name} is still trusted, with the folders below ${visibleLine(above)}. To trust none of them: ${remedy}`;
}

function line({ path, since }: TrustedFolder): string {
  return `${visibleLine(path)}  since ${since}`;
}

async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) throw new UsageError(`There is no folder ${visibleLine(folder)}.`);
}

async function confirm(question: string, typed: string | undefined, context: CommandContext): Promise<boolean> {
  if (!context.isTerminal("stdin")) {
    const words = ["granary trust", ...(typed === undefined ? [] : [shellWord(visibleLine(typed))]), "--yes"];
    throw new UsageError(`There is no terminal to ask on. If you trust this folder: ${words.join(" ")}`);
  }
  using stop = new StopRequest(context);
  const { Person } = await import("./run/person.ts");
  const answer = await new Person(context, stop).answer(question, false, stop.signal).catch(() => "");
  return /^y(es)?$/i.test(answer.trim());
}

const help = `Lets a folder's own files name programs and run code when Python starts.

Usage:
  granary trust [FOLDER] [--yes]
  granary trust [FOLDER] --remove
  granary trust --list

A folder that you cloned or unpacked may have .granary/modules, which run in
every kernel, and a .granary/settings.json that names an interpreter, a kernel,
a gateway, or variables of yours to pass to Python (python.allowEnv). Granary
ignores these until you trust the folder, and the first result says so. On a
terminal, the command shows them and asks.

Granary remembers the folder by its real path and its owner, in
~/.granary/trusted.json. Trust covers the folders below, but no repository that
was cloned into one of them. For one run instead: granary run --trust

Options:
  -y, --yes     do not ask, for scripts
      --remove  trust the folder no longer
      --list    list the trusted folders
      --json    print one JSON document, for programs
  -h, --help    show this

Examples:
  granary trust
  granary trust ~/projects/report --remove

The JSON documents: { folder, trusted }, { folders: [{ path, owner, since }] },
  { folder, removed, trustedWith }, the last one where a folder above is trusted

Exit codes:
  0 trusted, removed or listed    130 you said no
  1 still trusted, with a folder above
  2 wrong usage                   3 the answer cannot be remembered
`;
