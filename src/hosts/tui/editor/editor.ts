import type { Key } from "../keys.ts";
import { blanksToRemove, indentAfter, isComplete } from "./python-input.ts";
import { TextBuffer } from "./text-buffer.ts";

/** The effect of a key: `submit` when the text should run, `unknown` when the editor does not handle the key. */
export type Pressed = "submit" | "moved" | "edited" | "unknown";

/** An editor for a few lines of Python: handles keys, indentation, and whether a text is complete. */
export class Editor {
  readonly buffer = new TextBuffer();

  press(key: Key): Pressed {
    if (key.type !== "key") {
      this.buffer.insert(typeable(key.text));
      return "edited";
    }
    if (key.name === "enter") return this.#enter();
    if (Object.hasOwn(edits, key.name)) {
      edits[key.name as keyof typeof edits](this.buffer);
      return "edited";
    }
    if (!Object.hasOwn(moves, key.name)) return "unknown";
    moves[key.name as keyof typeof moves](this.buffer);
    return "moved";
  }

  /** In the middle of several lines, Enter begins the next line. */
  #enter(): Pressed {
    const { buffer } = this;
    if (buffer.isOnLastLine && isComplete(buffer.text)) return "submit";
    newLine(buffer);
    return "edited";
  }
}

const moves = {
  left: (buffer: TextBuffer) => buffer.left(),
  right: (buffer: TextBuffer) => buffer.right(),
  up: (buffer: TextBuffer) => buffer.up(),
  down: (buffer: TextBuffer) => buffer.down(),
  home: (buffer: TextBuffer) => buffer.lineStart(),
  end: (buffer: TextBuffer) => buffer.lineEnd(),
  "ctrl+a": (buffer: TextBuffer) => buffer.lineStart(),
  "ctrl+e": (buffer: TextBuffer) => buffer.lineEnd(),
  "ctrl+b": (buffer: TextBuffer) => buffer.left(),
  "ctrl+f": (buffer: TextBuffer) => buffer.right(),
  "alt+left": (buffer: TextBuffer) => buffer.wordLeft(),
  "alt+right": (buffer: TextBuffer) => buffer.wordRight(),
  "ctrl+left": (buffer: TextBuffer) => buffer.wordLeft(),
  "ctrl+right": (buffer: TextBuffer) => buffer.wordRight(),
  "alt+b": (buffer: TextBuffer) => buffer.wordLeft(),
  "alt+f": (buffer: TextBuffer) => buffer.wordRight(),
  "ctrl+home": (buffer: TextBuffer) => buffer.textStart(),
  "ctrl+end": (buffer: TextBuffer) => buffer.textEnd(),
};

const edits = {
  "alt+enter": newLine,
  "shift+enter": newLine,
  "ctrl+j": newLine,
  backspace,
  "ctrl+h": backspace,
  delete: (buffer: TextBuffer) => buffer.deleteAfter(),
  "ctrl+w": (buffer: TextBuffer) => buffer.deleteWordBefore(),
  "alt+backspace": (buffer: TextBuffer) => buffer.deleteWordBefore(),
  "alt+d": (buffer: TextBuffer) => buffer.deleteWordAfter(),
  "ctrl+k": (buffer: TextBuffer) => buffer.deleteToLineEnd(),
  "ctrl+u": (buffer: TextBuffer) => buffer.deleteToLineStart(),
  "ctrl+y": (buffer: TextBuffer) => buffer.insertDeleted(),
  "ctrl+-": (buffer: TextBuffer) => buffer.undo(),
};

function newLine(buffer: TextBuffer): void {
  buffer.insert(`\n${indentAfter(buffer.beforeCursor)}`);
}

function backspace(buffer: TextBuffer): void {
  for (let left = blanksToRemove(buffer.beforeCursor); left > 0; left--) buffer.deleteBefore();
}

/** Removes characters that a terminal would hide or obey. */
function typeable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replaceAll("\t", "    ").replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, "");
}
