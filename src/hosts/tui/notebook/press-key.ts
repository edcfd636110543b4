import type { Key } from "../keys.ts";
import { commandFor } from "./key-table.ts";
import type { Mode, NotebookEditor } from "./notebook-editor.ts";

const indentWidth = 4;

/** Handles a key in the current mode. */
export function pressKey(key: Key, editor: NotebookEditor): void {
  if (editor.questions.current !== null) return pressForAnswer(key, editor);
  editor.message = null;
  const { mode } = editor;
  switch (mode.type) {
    case "command":
      return pressForCommand(key, mode.typed, editor);
    case "edit":
      return pressInEditor(key, mode, editor);
    case "confirm":
      editor.mode = { type: "command", typed: "" };
      return mode.choices[nameOf(key)]?.();
    case "help":
      editor.mode = { type: "command", typed: "" };
      return;
    default:
      return mode satisfies never;
  }
}

function pressForAnswer(key: Key, editor: NotebookEditor): void {
  const isInterrupt = key.type === "key" && key.name === "ctrl+c";
  if (isInterrupt) void editor.interrupt();
  else editor.questions.current?.press(key);
}

function pressForCommand(key: Key, typed: string, editor: NotebookEditor): void {
  const name = nameOf(key);
  const command = commandFor(typed === "" ? name : `${typed} ${name}`) ?? commandFor(name);
  editor.mode = { type: "command", typed: command === "more" ? name : "" };
  if (command !== null && command !== "more") command.run(editor);
}

function pressInEditor(
  key: Key,
  { key: cell, editor: cellEditor }: Mode & { type: "edit" },
  editor: NotebookEditor,
): void {
  const { buffer } = cellEditor;
  const isCode = editor.document.cell(cell)?.type === "code";
  switch (nameOf(key)) {
    case "escape":
      return editor.finishEdit();
    case "ctrl+c":
      return editor.runs.isBusy ? void editor.interrupt() : editor.finishEdit();
    case "ctrl+s":
      editor.finishEdit();
      void editor.save();
      return;
    case "ctrl+z":
      return editor.suspend();
    case "shift+enter":
    case "alt+enter":
      editor.finishEdit();
      return editor.run("next");
    case "ctrl+r":
    case "ctrl+enter":
      editor.finishEdit();
      return editor.run("stay");
    case "tab":
      return buffer.insert(" ".repeat(indentWidth - ((buffer.cursor - buffer.line.start) % indentWidth)));
    case "enter":
    case "ctrl+j":
      // Only code continues the indentation of the line before.
      if (isCode) cellEditor.press({ type: "key", name: "ctrl+j" });
      else buffer.insert("\n");
      return;
    default:
      cellEditor.press(key);
  }
}

function nameOf(key: Key): string {
  return key.type === "key" ? key.name : key.type === "text" ? key.text : "";
}
