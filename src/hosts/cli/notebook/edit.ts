import type { EditDetails } from "../../../notebook/edit/edit-action.ts";
import { sayEdit } from "../../../notebook/edit/say-edit.ts";
import { editNotebookFile } from "../../../notebook/file/edit-notebook-file.ts";
import { GranaryError, isGranaryError } from "../../../support/granary-error.ts";
import type { CommandContext } from "../command/command-context.ts";
import { exitCodes } from "../command/exit-codes.ts";
import { say } from "../command/say.ts";
import { saveWithin } from "../command/typed-file.ts";
import { UsageError } from "../command/usage-error.ts";
import { type EditAction, parseEditArguments } from "./edit/edit-arguments.ts";
import { givenText } from "./edit/typed-text.ts";
import { inFolder } from "./one-file.ts";

/** `granary notebook edit`, and every other command that changes cells */
export async function main(args: readonly string[], context: CommandContext, name: string): Promise<number> {
  const action = name as EditAction;
  const parsed = parseEditArguments(action, args);
  if (parsed === "help") {
    const { notebookEditHelp } = await import("./edit/edit-help.ts");
    context.stdout.write(notebookEditHelp(action));
    return exitCodes.ok;
  }
  const edit = await parsed.edit(() => readContent(parsed.content, context));
  const path = inFolder(parsed.file, context);
  const within = await saveWithin(path, context);
  const details = await editNotebookFile(path, [edit], { within }).catch((error: unknown) => {
    throw inOptions(error, parsed.file);
  });
  const told = parsed.json ? JSON.stringify({ status: "ok", path, ...details[0] }) : sayEdit(details[0] as EditDetails);
  await say(context.stdout, `${told}\n`);
  return exitCodes.ok;
}

/** Remedies that name fields of an edit, in terms of this command's options. */
function inOptions(error: unknown, file: string): unknown {
  if (!isGranaryError(error)) return error;
  const { cellIndex, times } = error.details;
  const again = (message: string) => new GranaryError(error.code, message, { details: error.details, cause: error });
  switch (error.code) {
    case "text-ambiguous":
      return again(`Cell ${cellIndex} contains that text ${times} times. Give more of it with --old, or add --all.`);
    case "text-not-found": {
      const remedy = `It has to match exactly, including white space: granary notebook show ${file} --cells ${cellIndex}`;
      return again(`Cell ${cellIndex} does not contain the text of --old. ${remedy}`);
    }
    default:
      return error;
  }
}

/** Shells and editors add a newline at the end, which does not belong into the cell. */
async function readContent(given: string | undefined, context: CommandContext): Promise<string> {
  const isTyped = given !== undefined && given !== "-";
  const text = await givenText(given, context, "Give the cell's source with --content, or on standard input.");
  // Most likely the command before the pipe failed. An empty cell has to be asked for.
  if (given === undefined && text === "") {
    throw new UsageError("Standard input is empty. If the cell is to be empty, say so: --content ''");
  }
  return isTyped ? text : text.replace(/\r?\n$/, "");
}
