import { ListBlock } from "../blocks/list-block.ts";
import type { ConsoleCommand } from "./command.ts";

const keys: readonly (readonly [key: string, meaning: string])[] = [
  ["enter", "runs the code, or begins the next line when the code is incomplete"],
  ["alt+enter", "always begins a new line, as do shift+enter and ctrl+j"],
  ["tab", "completes a name, a key or a path, or offers a choice; indents at the beginning of a line"],
  ["shift+tab", "shows the function's signature and documentation, as does an opening bracket"],
  ["up, down", "recall earlier input; at a question, earlier answers"],
  ["right, end", "at the end of the text: accept the suggestion from the history; alt+f accepts a word"],
  ["ctrl+r", "searches the history"],
  ["ctrl+o", "expands or collapses long output"],
  ["ctrl+c", "interrupts the running cell, or clears the input; twice: quits"],
  ["ctrl+d", "quits, and asks first when variables would be lost; again: quits at once; quits the debugger"],
  ["ctrl+l", "clears the screen; earlier lines scroll away"],
  ["ctrl+z", "suspends the console; fg resumes it"],
  ["ctrl+a, ctrl+e, …", "move and delete as in a shell; ctrl+_ undoes an edit"],
];

export const help: ConsoleCommand = {
  name: "help",
  summary: "this list",
  async run(_argument, console) {
    // Imported here, not at the top: `help` is itself in that list.
    const { commands } = await import("./commands.ts");
    const rows = [
      ...commands.map(({ name, argument = "", summary }) => [`/${name} ${argument}`.trimEnd(), summary] as const),
      ["!command", "runs a shell command without waiting for Python"] as const,
      ["exit", "quits as ctrl+d does; also exit(), quit and quit()"] as const,
      ["%%bash", "makes the cell a shell script; %lsmagic lists more magics"] as const,
    ];
    console.add(
      new ListBlock([
        { heading: "Type Python, or:", rows },
        { heading: "Keys:", rows: keys },
      ]),
    );
  },
};
