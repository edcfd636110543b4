import { NoteBlock } from "../blocks/note-block.ts";
import type { Command } from "./command.ts";

const keys: readonly (readonly [key: string, meaning: string])[] = [
  ["enter", "runs the code, or goes on with the next line when it is not complete"],
  ["alt+enter", "a new line in any case; shift+enter or ctrl+j, too"],
  ["tab", "completes a name; shift+tab shows what it is"],
  ["up, down", "what was typed before"],
  ["ctrl+r", "searches what was typed before"],
  ["ctrl+o", "shows everything, or the preview again"],
  ["ctrl+c", "interrupts what runs, or drops what is typed; twice: quits"],
  ["ctrl+d", "quits"],
  ["ctrl+z", "stops the console; fg goes on with it"],
];

export const help: Command = {
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
    const width = Math.max(...[...rows, ...keys].map(([name]) => name.length));
    const list = (of: typeof keys): string =>
      of.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`).join("\n");
    console.add(new NoteBlock(`Type Python, or:\n${list(rows)}\n\nKeys:\n${list(keys)}`, { isTable: true }));
  },
};
