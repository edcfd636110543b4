import { clamp } from "../../../view/text/fit.ts";
import { visibleWidth } from "../../../view/text/styled-text.ts";
import type { Theme } from "../../../view/theme/theme.ts";
import { promptWidth } from "../blocks/typed-code.ts";
import { drawEditor } from "../editor/draw-editor.ts";
import { Editor } from "../editor/editor.ts";
import type { History } from "../history/history.ts";
import { HistorySearch } from "../history/history-search.ts";
import type { Key } from "../keys.ts";
import { CompletionMenu, commonBeginning, type Suggestions } from "./completion-menu.ts";
import { SignatureHelp } from "./signature-help.ts";
import { Suggestion } from "./suggestion.ts";

/** A share of the width, so that there is room to type. */
const environmentShare = 0.25;

export interface PromptOptions {
  readonly history: History;
  /** Whether to suggest text from the history. */
  suggests(): boolean;
  /** The label before the prompt: the environment's name; empty when unknown. */
  environment(): string;
  /** Completions at the cursor. */
  complete(text: string, cursor: number, signal: AbortSignal): Promise<Suggestions>;
  /** Documentation for the name at the cursor; null when unknown. */
  describe(text: string, cursor: number, signal: AbortSignal): Promise<string | null>;
  /** Called when the prompt changes without a key. */
  onChange(): void;
  submit(text: string): void;
}

/** The prompt: the editor with history, completion and signature help. */
export class Prompt {
  readonly #options: PromptOptions;
  readonly #editor = new Editor();
  readonly #suggestion: Suggestion;
  #menu: CompletionMenu | null = null;
  #help: SignatureHelp | null = null;
  #search: HistorySearch | null = null;
  /** The pending request; the next key aborts it. */
  #asking: AbortController | null = null;

  constructor(options: PromptOptions) {
    this.#options = options;
    this.#suggestion = new Suggestion(options.history, () => options.onChange());
  }

  get isEmpty(): boolean {
    return this.#editor.buffer.isEmpty && this.#search === null;
  }

  clear(): void {
    this.#close();
    this.#help = null;
    this.#search = null;
    this.#editor.buffer.set("");
  }

  /** False for a key that the prompt does not handle. */
  press(key: Key): boolean {
    this.#asking?.abort();
    if (this.#search !== null) return this.#pressInSearch(this.#search, key);
    if (this.#menu !== null && this.#pressInMenu(this.#menu, key)) return true;
    this.#menu = null;
    return this.#pressInEditor(key);
  }

  render(look: { readonly width: number; readonly maxRows: number; readonly theme: Theme }): readonly string[] {
    const { width, theme } = look;
    if (this.#search !== null) return this.#search.render(width, theme);
    const { text, cursor } = this.#editor.buffer;
    const environment = clamp(this.#options.environment(), Math.floor(width * environmentShare));
    const before = environment === "" ? "" : `${environment} `;
    const rows = drawEditor(text, cursor, {
      ...look,
      language: text.startsWith("/") ? "" : "python",
      prompts: [
        `${theme.muted(before)}${theme.accent("❯")} `,
        `${" ".repeat(visibleWidth(before))}${theme.accent("·")} `,
      ],
      promptWidth: visibleWidth(before) + promptWidth,
      suggestion: this.#suggests ? this.#suggestion.restFor(this.#editor.buffer) : "",
    });
    const below = this.#menu?.render(width, theme) ?? this.#help?.render(width, theme) ?? [];
    return [...rows, ...below];
  }

  #pressInEditor(key: Key): boolean {
    const { buffer } = this.#editor;
    if (this.#suggests && this.#suggestion.press(key, buffer)) return true;
    if (key.type === "key") {
      switch (key.name) {
        case "up":
          if (buffer.isOnFirstLine) return this.#look("back");
          break;
        case "down":
          if (buffer.isOnLastLine) return this.#look("forward");
          break;
        case "ctrl+p":
          return this.#look("back");
        case "ctrl+n":
          return this.#look("forward");
        case "ctrl+r":
          return this.#beginSearch();
        case "tab":
          return this.#tab();
        case "shift+tab":
          return this.#describe(buffer.cursor);
        case "escape":
          this.#help = null;
          return true;
      }
    }
    const pressed = this.#editor.press(key);
    if (pressed === "submit") this.#submit();
    const hasOpenedCall = key.type === "text" && key.text === "(";
    if (hasOpenedCall) this.#describe(buffer.cursor);
    if (this.#help?.isFor(buffer.text, buffer.cursor) === false) this.#help = null;
    return pressed !== "unknown";
  }

  /** The menu says more. */
  get #suggests(): boolean {
    return this.#menu === null && this.#options.suggests();
  }

  #submit(): void {
    const text = this.#editor.buffer.text.trimEnd();
    this.clear();
    if (text === "") return;
    this.#options.history.add(text);
    this.#options.submit(text);
  }

  /** Up and down beyond the text move through the history. */
  #look(where: "back" | "forward"): true {
    const { history, onChange } = this.#options;
    void history.load().then(() => {
      const { buffer } = this.#editor;
      const entry = where === "back" ? history.older(buffer.text) : history.newer();
      if (entry !== null) buffer.set(entry);
      onChange();
    });
    return true;
  }

  #beginSearch(): true {
    const { history, onChange } = this.#options;
    void history.load().then(() => {
      this.#search = new HistorySearch(history.latestFirst);
      onChange();
    });
    return true;
  }

  #pressInSearch(search: HistorySearch, key: Key): boolean {
    if (search.press(key)) return true;
    this.#search = null;
    const isTaken = key.type === "key" && (key.name === "enter" || key.name === "tab" || key.name === "right");
    if (isTaken && search.found !== null) this.#editor.buffer.set(search.found);
    return true;
  }

  #pressInMenu(menu: CompletionMenu, key: Key): boolean {
    if (key.type !== "key") return false;
    switch (key.name) {
      case "tab":
      case "down":
        menu.move(1);
        return true;
      case "shift+tab":
      case "up":
        menu.move(-1);
        return true;
      case "enter":
        this.#insert(menu.suggestions, menu.selected);
        this.#menu = null;
        return true;
      case "escape":
        this.#menu = null;
        return true;
      default:
        return false;
    }
  }

  /** Tab indents at the start of a line. */
  #tab(): true {
    const { buffer } = this.#editor;
    const beginning = buffer.text.slice(buffer.line.start, buffer.cursor);
    if (beginning.trim() === "") buffer.insert(" ".repeat(4 - (beginning.length % 4)));
    else void this.#complete();
    return true;
  }

  async #complete(): Promise<void> {
    const { text, cursor } = this.#editor.buffer;
    const suggestions = await this.#ask((signal) => this.#options.complete(text, cursor, signal));
    if (suggestions === null || suggestions.matches.length === 0) return;
    const typed = text.slice(suggestions.start, cursor);
    const shared = commonBeginning(suggestions.matches);
    // Only longer text with the same beginning.
    if (shared.startsWith(typed) && shared.length > typed.length) this.#insert(suggestions, shared);
    else if (suggestions.matches.length === 1) this.#insert(suggestions, shared);
    if (suggestions.matches.length > 1) {
      const end = this.#editor.buffer.cursor;
      this.#menu = new CompletionMenu({ ...suggestions, end });
    }
    this.#options.onChange();
  }

  #insert({ start, end }: Suggestions, match: string): void {
    this.#editor.buffer.replace(start, end, match);
  }

  /** @param at the end of the expression to describe */
  #describe(at: number): true {
    const { text } = this.#editor.buffer;
    void this.#ask((signal) => this.#options.describe(text, at, signal)).then((described) => {
      if (described === null) return;
      this.#help = new SignatureHelp(described, at);
      this.#options.onChange();
    });
    return true;
  }

  /** Null when the text has changed since, or there is no answer. */
  async #ask<T>(question: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    const asking = new AbortController();
    this.#asking = asking;
    const answer = await question(asking.signal).catch(() => null);
    return asking.signal.aborted ? null : answer;
  }

  #close(): void {
    this.#asking?.abort();
    this.#menu = null;
  }
}
