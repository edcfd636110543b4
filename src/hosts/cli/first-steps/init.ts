import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { visibleText } from "../../../output/text/visible-text.ts";
import { closest } from "../../../support/closest.ts";
import { writeFileAtomically } from "../../../support/files/atomic-write.ts";
import { systemReason } from "../../../support/files/system-reason.ts";
import { argumentsOrHelp } from "../command/arguments-or-help.ts";
import type { CommandContext } from "../command/command-context.ts";
import { exitCodes } from "../command/exit-codes.ts";
import { StopRequest } from "../command/stop-request.ts";
import { UsageError } from "../command/usage-error.ts";
import { write } from "../command/write.ts";
import { canvasOf } from "../terminal/canvas.ts";
import { changeLines } from "./change-lines.ts";
import { type McpClient, mcpClients } from "./clients/clients.ts";
import { type PlannedChange, planChange } from "./clients/planned-change.ts";
import { serverCommand } from "./server-command.ts";

type Change = Extract<PlannedChange, { type: "change" }>;

const options = {
  yes: { type: "boolean", short: "y" },
  "dry-run": { type: "boolean" },
  json: { type: "boolean" },
} as const;

/** `granary init` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const typed = argumentsOrHelp(args, options, help, context);
  if (typed === null) return exitCodes.ok;
  const { values, positionals } = typed;
  const clients = chosenClients(positionals, context);
  const plans = await Promise.all(clients.map((client) => planChange(client, serverCommand(context.env))));
  const changes = plans.filter((plan): plan is Change => plan.type === "change");
  const tell = (text: string): Promise<void> => (values.json ? Promise.resolve() : write(context.stdout, `${text}\n`));
  await tell(clients.length === 0 ? noClient : plans.flatMap((plan) => planLines(plan, context)).join("\n"));
  const isWanted =
    changes.length > 0 &&
    !values["dry-run"] &&
    (values.yes || (await confirm(changes, context, { json: values.json, typed: positionals })));
  const failures = new Map<PlannedChange, string>();
  for (const plan of plans) if (plan.type === "refused") failures.set(plan, plan.reason);
  for (const change of isWanted ? changes : []) {
    const reason = await apply(change);
    if (reason === null) continue;
    failures.set(change, reason);
    await tell(`${change.client.title}: ${visibleText(change.client.file)} was not written: ${reason}.`);
  }
  const hasWritten = isWanted && changes.some((change) => !failures.has(change));
  if (values.json) await write(context.stdout, `${JSON.stringify(document(plans, failures, isWanted))}\n`);
  else if (hasWritten) await tell(sayWritten(changes.filter((change) => !failures.has(change))));
  else if (changes.length > 0) await tell("Nothing was changed.");
  const wasRefusedByPerson = changes.length > 0 && !isWanted && !values["dry-run"];
  if (wasRefusedByPerson) return exitCodes.cancelled;
  return failures.size > 0 ? exitCodes.failed : exitCodes.ok;
}

function chosenClients(ids: readonly string[], { env }: CommandContext): readonly McpClient[] {
  if ((env.HOME ?? "") === "") throw new UsageError("HOME is not set, so the clients' files cannot be found.");
  const clients = mcpClients(env);
  const unknown = ids.find((id) => !clients.some((client) => client.id === id));
  if (unknown !== undefined) {
    const known = clients.map(({ id }) => id);
    const similar = known.filter((id) => id.startsWith(`${unknown.toLowerCase()}-`));
    const near = similar.length > 0 ? similar : [closest(unknown.toLowerCase(), known) ?? ""].filter((id) => id !== "");
    const hint = near.length === 0 ? `Known are: ${known.join(", ")}.` : `Did you mean ${near.join(" or ")}?`;
    throw new UsageError(`There is no client ${unknown}. ${hint}`);
  }
  return clients.filter(({ id, isFound }) => (ids.length === 0 ? isFound : ids.includes(id)));
}

function planLines(plan: PlannedChange, context: CommandContext): readonly string[] {
  const { title } = plan.client;
  const file = visibleText(plan.client.file);
  const { theme } = canvasOf(context);
  switch (plan.type) {
    case "done":
      return [`${theme.title(title)}: ${file} has a server granary already${sayOther(plan.otherCommand)}`];
    case "refused":
      return [
        `${theme.title(title)}: ${file} stays as it is: ${plan.reason}. To add Granary by hand:`,
        ...plan.byHand
          .trimEnd()
          .split("\n")
          .map((line) => `  ${line}`),
      ];
    case "change":
      return [`${theme.title(title)}: ${file}${plan.before === null ? " (new)" : ""}`, ...changeLines(plan, theme)];
  }
}

/** An installation that has moved, say. */
function sayOther(command: string | null): string {
  return command === null ? "." : `, with another command: ${visibleText(command)}`;
}

async function confirm(
  changes: readonly Change[],
  context: CommandContext,
  { json = false, typed }: { readonly json?: boolean | undefined; readonly typed: readonly string[] },
): Promise<boolean> {
  if (json || !context.isTerminal("stdin")) {
    const command = ["granary init", ...typed, "--yes"].join(" ");
    throw new UsageError(`There is no terminal to ask on. To write these changes: ${command}`);
  }
  using stop = new StopRequest(context);
  const { Person } = await import("../run/person.ts");
  const files = changes.length === 1 ? "this change" : `these ${changes.length} changes`;
  const answer = await new Person(context, stop).answer(`Write ${files}? [y/N] `, false, stop.signal).catch(() => "");
  return /^y(es)?$/i.test(answer.trim());
}

/**
 * Clients write these files as well: a file that has changed since it was read stays as it is.
 * @returns why the file was not written, or null
 */
async function apply({ client: { file }, before, after }: Change): Promise<string | null> {
  let hasChanged = false;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFileAtomically(file, after, {
      mode: 0o600,
      beforeReplacing: async () => {
        hasChanged = (await readFile(file, "utf8").catch(() => null)) !== before;
        if (hasChanged) throw new Error("Another program has written the file.");
      },
    });
    return null;
  } catch (error) {
    if (hasChanged) return "another program has just changed it; run granary init again";
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return `${systemReason(error)}; check its folder`;
  }
}

function sayWritten(changes: readonly Change[]): string {
  const titles = changes.map(({ client }) => client.title);
  const restart = titles.length === 1 ? "Restart it" : "Restart them";
  return `Written for ${titles.join(", ")}. ${restart}, and ask for print(6*7) in Python.`;
}

function document(
  plans: readonly PlannedChange[],
  failures: ReadonlyMap<PlannedChange, string>,
  isWanted: boolean,
): object {
  const stateOf = (plan: PlannedChange): string => {
    if (failures.has(plan)) return "refused";
    return plan.type === "change" ? (isWanted ? "written" : "planned") : plan.type;
  };
  return {
    clients: plans.map((plan) => ({
      ...{ client: plan.client.id, file: plan.client.file },
      ...{ state: stateOf(plan), reason: failures.get(plan) ?? null },
    })),
  };
}

const noClient = `No MCP client was found on this machine. granary init knows Claude Code, Claude Desktop,
Cursor, VS Code, Codex, Gemini CLI, OpenCode, Copilot CLI, Amp and Windsurf. Others start
the server with the command: granary mcp
An agent that only has a shell can use: granary skill`;

const help = `Gives Granary to the agents on this machine: adds it to the MCP configuration of
each client that it finds.

Usage:
  granary init [CLIENT...] [--yes | --dry-run] [--json]

Shows the lines that it would add, and asks. It adds one entry to a file, and
leaves every other byte as it is, with comments; a file that already has a
server granary stays unchanged. With CLIENT, only these, even if not found:
claude-code, claude-desktop, cursor, vscode, codex, gemini, opencode, copilot,
amp, windsurf.

Options:
  -y, --yes         do not ask, for scripts
      --dry-run     show the changes, and write nothing
      --json        print one JSON document, for programs; with --yes or
                    --dry-run
  -h, --help        show this

Examples:
  granary init
  granary init codex --yes
  granary init --dry-run

The JSON document:
  { clients: [{ client, file, state, reason }] }; state is written, planned,
  done (there already) or refused (with its reason)

Exit codes:
  0 written, or nothing to do    130 you said no
  2 wrong usage                  3 a file could not be read or written
`;
