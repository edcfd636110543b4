import { declaredParameters } from "../../../../execute/notebook/parameters/declared-parameters.ts";
import { parametersCell } from "../../../../execute/notebook/parameters/parameters.ts";
import type { CommandContext } from "../../command/command-context.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { write } from "../../command/write.ts";
import { readTypedNotebook } from "../files/typed-notebook.ts";

/** `granary notebook run --help-notebook`: which parameters a notebook has. */
export async function listParameters(
  { file, json }: { readonly file: string; readonly json: boolean },
  context: CommandContext,
): Promise<number> {
  const cell = parametersCell((await readTypedNotebook(file, context)).notebook);
  const parameters = cell === null ? [] : declaredParameters(cell.source);
  if (json) await write(context.stdout, `${JSON.stringify({ status: "ok", tagged: cell !== null, parameters })}\n`);
  else await write(context.stdout, say(file, cell === null ? null : parameters));
  return cell === null ? exitCodes.error : exitCodes.ok;
}

function say(file: string, parameters: ReturnType<typeof declaredParameters> | null): string {
  const head = `Usage: granary notebook run ${file} -p NAME VALUE...\n\nParameters inferred for notebook '${file}':\n`;
  if (parameters === null) return `${head}\n  No cell tagged 'parameters'\n`;
  if (parameters.length === 0) return `${head}\n  None: the cell with the tag "parameters" assigns no variable.\n`;
  const definitions = parameters.map(({ name, type, ...parameter }) => {
    const definition = `  ${name}: ${type ?? "Unknown type"} (default ${parameter.default})`;
    return parameter.help === "" ? definition : `${definition.padEnd(33)} ${parameter.help}`;
  });
  return `${head}${definitions.join("\n")}\n`;
}
