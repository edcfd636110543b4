import type { Variable } from "../../../kernel/variables.ts";
import { GranaryError } from "../../../support/granary-error.ts";
import { sayCheckpoints } from "../../../tools/context/say-checkpoints.ts";
import { NoteBlock } from "../blocks/note-block.ts";
import type { ConsoleCommand } from "./command.ts";

const mostShown = 50;

/** Works while a cell runs. */
export const variables: ConsoleCommand = {
  name: "variables",
  summary: "shows the variables, even while a cell runs",
  async run(_argument, console) {
    const limits = { maxVariables: mostShown, maxValueCharacters: 100 };
    const { session } = console.workbench;
    const isUnknown = session.shared.info !== null && !session.shared.tellsVariables;
    if (isUnknown)
      throw new GranaryError("usage", "This kernel cannot list its variables. Use %whos when no cell runs.");
    const { variables, total } = await session.variables(limits);
    console.add(new NoteBlock(total === 0 ? "There are no variables." : table(variables, total), { isTable: true }));
    const states = sayCheckpoints(session.checkpoints());
    if (states !== null) console.add(new NoteBlock(states, { style: "muted" }));
  },
};

function table(variables: readonly Variable[], total: number): string {
  const rows = variables.map((variable) => [variable.name, typeOf(variable), variable.value.replaceAll("\n", " ")]);
  const widths = [0, 1].map((column) => Math.min(30, Math.max(...rows.map((row) => row[column]?.length ?? 0))));
  const lines = rows.map(([name = "", type = "", value = ""]) =>
    `${name.padEnd(widths[0] ?? 0)}  ${type.padEnd(widths[1] ?? 0)}  ${value}`.trimEnd(),
  );
  const more = total - variables.length;
  return [...lines, ...(more > 0 ? [`… ${more} more`] : [])].join("\n");
}

function typeOf({ type, shape, length }: Variable): string {
  if (shape !== null) return `${type} ${shape.join("×")}`;
  return length === null ? type : `${type} ${length}`;
}
