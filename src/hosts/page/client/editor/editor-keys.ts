import { acceptCompletion, startCompletion } from "@codemirror/autocomplete";
import { indentLess, indentMore } from "@codemirror/commands";
import { type Extension, Prec } from "@codemirror/state";
import { type Command, type EditorView, keymap } from "@codemirror/view";
import type { AfterRun, EditorServices } from "./code-editor.ts";

/** Keys of a prompt: run, earlier code, and Tab for completion. Tab leaves an empty editor, so that it is no trap. */
export function editorKeys(services: () => EditorServices): Extension {
  const run =
    (then: AfterRun): Command =>
    () => {
      services().onRun(then);
      return true;
    };
  const earlier = new EarlierCode(services);
  return Prec.high(
    keymap.of([
      { key: "Shift-Enter", run: run("next") },
      { key: "Mod-Enter", run: run("stay") },
      { key: "Alt-Enter", run: run("insert") },
      { key: "Tab", run: tab, shift: (view) => view.state.doc.length > 0 && indentLess(view) },
      { key: "ArrowUp", run: (view) => isAtEdge(view, "first") && earlier.show(view, -1) },
      { key: "ArrowDown", run: (view) => isAtEdge(view, "last") && earlier.show(view, 1) },
    ]),
  );
}

function tab(view: EditorView): boolean {
  const { doc, selection } = view.state;
  if (acceptCompletion(view)) return true;
  if (doc.length === 0) return false;
  const { from, to, head } = selection.main;
  const before = doc.lineAt(head).text.slice(0, head - doc.lineAt(head).from);
  if (from !== to || /^\s*$/.test(before)) return indentMore(view);
  return startCompletion(view);
}

function isAtEdge({ state }: EditorView, edge: "first" | "last"): boolean {
  const { main } = state.selection;
  if (!main.empty) return false;
  return state.doc.lineAt(main.head).number === (edge === "first" ? 1 : state.doc.lines);
}

/** Steps through earlier code. An edit of one starts over. */
class EarlierCode {
  readonly #services: () => EditorServices;
  #shown: { readonly index: number; readonly text: string; readonly draft: string } | null = null;

  constructor(services: () => EditorServices) {
    this.#services = services;
  }

  show(view: EditorView, step: -1 | 1): boolean {
    const current = view.state.doc.toString();
    const shown = this.#shown?.text === current ? this.#shown : null;
    const all = [...new Set([...(this.#services().earlier?.() ?? [])].reverse())].reverse();
    const index = (shown?.index ?? all.length) + step;
    const draft = shown?.draft ?? current;
    if (index < 0 || index > all.length || (shown === null && step === 1)) return false;
    const text = all[index] ?? draft;
    this.#shown = { index, text, draft };
    const changes = { from: 0, to: view.state.doc.length, insert: text };
    view.dispatch({ changes, selection: { anchor: text.length }, scrollIntoView: true });
    return true;
  }
}
