import { ListBlock } from "../blocks/list-block.ts";
import type { ConsoleCommand } from "./command.ts";

const keys: readonly (readonly [key: string, meaning: string])[] = [
  ["enter", "runs the code, or goes on with the next line when it is not complete"],
  ["alt+enter", "a new line in any case; shift+enter or ctrl+j, too"],
  ["tab", "completes a name, a key or a path, and offers a choice; at the beginning of a line, indents"],
  ["shift+tab", "what the function takes, and the first lines of its documentation; an opening bracket, too"],
  ["up, down", "what was typed before; at a question, what was answered to it before"],
  ["right, end", "behind the text: take the suggestion from the history; alt+f takes a word of it"],
  ["ctrl+r", "searches what was typed before"],
  ["ctrl+o", "shows everything, or the preview again"],
  ["ctrl+c", "interrupts what runs, or drops what is typed; twice: quits"],
  ["ctrl+d", "quits, and asks first when Python holds variables; a second one quits; in the debugger, quits that"],
  ["ctrl+l", "begins with an empty screen; what was there has scrolled away"],
  ["ctrl+z", "stops the console; fg goes on with it"],
  ["ctrl+a, ctrl+e, …", "move and delete as in a shell; ctrl+_ takes back an edit"],
];

export const help: ConsoleCommand = {
  name: "help",
  summary: "this list",
  async run(_argument, console) {
    // Not at the top: it is this list that they are all in.
    const { commands } = await import("./commands.ts");
    const rows = [
      ...commands.map(({ name, argument = "", summary }) => [`/${name} ${argument}`.trimEnd(), summary] as const),
      ["!command", "runs a command of the shell; it does not wait for Python"] as const,
      ["%%bash", "first line of a cell that is a shell script; %lsmagic lists more of these"] as const,
    ];
    console.add(
      new ListBlock([
        { heading: "Type Python, or:", rows },
        { heading: "Keys:", rows: keys },
      ]),
    );
  },
};
