import { endOfInput } from "../../../kernel/kernel.ts";
import { printableLines } from "../../../view/text/printable.ts";
import { fold } from "../../../view/text/wrap.ts";
import type { Theme } from "../../../view/theme/theme.ts";
import { TextBuffer } from "../editor/text-buffer.ts";
import type { Key } from "../keys.ts";
import { cursor } from "../screen.ts";

export interface QuestionOptions {
  readonly isSecret: boolean;
  /** What was answered to the same question, the latest last; the arrows bring it back. */
  readonly earlier: readonly string[];
}

/** What `input()` or `getpass()` wants to know. */
export class Question {
  readonly prompt: string;
  readonly isSecret: boolean;
  readonly #buffer = new TextBuffer();
  readonly #answer: (text: string) => void;
  readonly #earlier: readonly string[];
  /** How far back an earlier answer is that is shown; 0 is what is being typed now. */
  #back = 0;
  #draft = "";

  constructor(prompt: string, { isSecret, earlier }: QuestionOptions, answer: (text: string) => void) {
    this.prompt = prompt;
    this.isSecret = isSecret;
    this.#earlier = isSecret ? [] : earlier;
    this.#answer = answer;
  }

  /** As it may be shown afterwards. */
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

  /** A debugger takes the end of its input for "quit", and is told so in a word that can be seen. */
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

  /** What is typed of a secret is not shown, not even how long it is. */
  render(width: number, theme: Theme): readonly string[] {
    const lines = printableLines(this.prompt);
    const { text, cursor: at } = this.#buffer;
    const typed = this.isSecret ? cursor : text.slice(0, at) + cursor + text.slice(at);
    const last = theme.strong(lines.at(-1) ?? "") + typed;
    return [...lines.slice(0, -1).map((line) => theme.strong(line)), last].flatMap((line) => fold(line, width - 1));
  }
}
