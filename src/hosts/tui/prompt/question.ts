import { endOfInput } from "../../../kernel/kernel.ts";
import { printableLines } from "../../../view/text/printable.ts";
import { fold } from "../../../view/text/wrap.ts";
import type { Theme } from "../../../view/theme/theme.ts";
import { TextBuffer } from "../editor/text-buffer.ts";
import type { Key } from "../keys.ts";
import { cursor } from "../screen.ts";

export interface QuestionOptions {
  readonly isSecret: boolean;
  /** Earlier answers to the same question, latest last; the arrows recall them. */
  readonly earlier: readonly string[];
}

/** A question of `input()` or `getpass()`. */
export class Question {
  readonly prompt: string;
  readonly isSecret: boolean;
  readonly #buffer = new TextBuffer();
  readonly #answer: (text: string) => void;
  readonly #earlier: readonly string[];
  /** The position of the shown earlier answer; 0 is the current input. */
  #back = 0;
  #draft = "";

  constructor(prompt: string, { isSecret, earlier }: QuestionOptions, answer: (text: string) => void) {
    this.prompt = prompt;
    this.isSecret = isSecret;
    this.#earlier = isSecret ? [] : earlier;
    this.#answer = answer;
  }

  /** The answer as the transcript may show it. */
  get told(): string {
    return this.prompt + (this.isSecret ? "" : this.#buffer.text);
  }

  press(key: Key): void {
    const buffer = this.#buffer;
    // An answer is one line.
    if (key.type !== "key") return buffer.insert(key.text.replaceAll("\n", " "));
    switch (key.name) {
      case "enter":
        return this.#answer(buffer.text);
      case "ctrl+d":
        return buffer.isEmpty ? this.#end() : buffer.deleteAfter();
      case "up":
      case "ctrl+p":
        return this.#look(1);
      case "down":
      case "ctrl+n":
        return this.#look(-1);
      case "backspace":
        return buffer.deleteBefore();
      case "delete":
        return buffer.deleteAfter();
      case "left":
        return buffer.left();
      case "right":
        return buffer.right();
      case "home":
      case "ctrl+a":
        return buffer.lineStart();
      case "end":
      case "ctrl+e":
        return buffer.lineEnd();
      case "ctrl+u":
        return buffer.deleteToLineStart();
      case "ctrl+w":
        return buffer.deleteWordBefore();
    }
  }

  /** A debugger reads the end of its input as "quit"; the transcript shows that word. */
  #end(): void {
    const isDebugger = /^(?:\(Pdb\)|ipdb>) *$/i.test(this.prompt);
    if (!isDebugger) return this.#answer(endOfInput);
    this.#buffer.insert("q");
    this.#answer(this.#buffer.text);
  }

  #look(by: 1 | -1): void {
    const back = this.#back + by;
    if (back < 0 || back > this.#earlier.length) return;
    if (this.#back === 0) this.#draft = this.#buffer.text;
    this.#back = back;
    this.#buffer.set(back === 0 ? this.#draft : (this.#earlier.at(-back) ?? ""));
  }

  /** Hides a secret, even its length. */
  render(width: number, theme: Theme): readonly string[] {
    const lines = printableLines(this.prompt);
    const { text, cursor: at } = this.#buffer;
    const typed = this.isSecret ? cursor : text.slice(0, at) + cursor + text.slice(at);
    const last = theme.strong(lines.at(-1) ?? "") + typed;
    return [...lines.slice(0, -1).map((line) => theme.strong(line)), last].flatMap((line) => fold(line, width - 1));
  }
}
