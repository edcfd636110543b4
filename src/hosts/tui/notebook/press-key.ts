import type { Key } from "../keys.ts";
import { commandFor } from "./key-table.ts";
import type { Mode, NotebookDesk } from "./notebook-editor.ts";

const indentWidth = 4;

/** Does what a key means, in whatever mode. */
export function pressKey(key: Key, desk: NotebookDesk): void {
  if (desk.questions.current !== null) return pressForAnswer(key, desk);
  desk.message = null;
  const { mode } = desk;
  switch (mode.type) {
    case "command":
      return pressForCommand(key, mode.typed, desk);
    case "edit":
      return pressInEditor(key, mode, desk);
    case "confirm":
      desk.mode = { type: "command", typed: "" };
      return mode.choices[nameOf(key)]?.();
    case "help":
      desk.mode = { type: "command", typed: "" };
      return;
    default:
      return mode satisfies never;
  }
}

function pressForAnswer(key: Key, desk: NotebookDesk): void {
  const isInterrupt = key.type === "key" && key.name === "ctrl+c";
  if (isInterrupt) void desk.interrupt();
  else desk.questions.current?.press(key);
}

function pressForCommand(key: Key, typed: string, desk: NotebookDesk): void {
  const name = nameOf(key);
  const command = commandFor(typed === "" ? name : `${typed} ${name}`) ?? commandFor(name);
  desk.mode = { type: "command", typed: command === "more" ? name : "" };
  if (command !== null && command !== "more") command.run(desk);
}

function pressInEditor(key: Key, { key: cell, editor }: Mode & { type: "edit" }, desk: NotebookDesk): void {
  const { buffer } = editor;
  const isCode = desk.document.cell(cell)?.type === "code";
  switch (nameOf(key)) {
    case "escape":
      return desk.finishEdit();
    case "ctrl+c":
      return desk.runs.isBusy ? void desk.interrupt() : desk.finishEdit();
    case "ctrl+s":
      desk.finishEdit();
      void desk.save();
      return;
    case "ctrl+z":
      return desk.suspend();
    case "shift+enter":
    case "alt+enter":
      desk.finishEdit();
      return desk.run("next");
    case "ctrl+r":
    case "ctrl+enter":
      desk.finishEdit();
      return desk.run("stay");
    case "tab":
      return buffer.insert(" ".repeat(indentWidth - ((buffer.cursor - buffer.line.start) % indentWidth)));
    case "enter":
    case "ctrl+j":
      // Only code goes on with the indentation of the line before.
      if (isCode) editor.press({ type: "key", name: "ctrl+j" });
      else buffer.insert("\n");
      return;
    default:
      editor.press(key);
  }
}

function nameOf(key: Key): string {
  return key.type === "key" ? key.name : key.type === "text" ? key.text : "";
}
