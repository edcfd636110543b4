import { closeCompletion, completionStatus } from "@codemirror/autocomplete";
import { type Extension, Prec, StateEffect, StateField } from "@codemirror/state";
import { EditorView, keymap, showTooltip, type Tooltip } from "@codemirror/view";
import type { EditorServices } from "./code-editor.ts";

const setHelp = StateEffect.define<Tooltip | null>();

const help = StateField.define<Tooltip | null>({
  create: () => null,
  update(shown, { effects, docChanged, changes }) {
    for (const effect of effects) if (effect.is(setHelp)) return effect.value;
    return shown !== null && docChanged ? { ...shown, pos: changes.mapPos(shown.pos) } : shown;
  },
  provide: (field) => showTooltip.from(field),
});

/** The signature of a function, when its bracket is typed; of any name with Ctrl+I. Escape and the closing bracket end it. */
export function signatureHelp(services: () => EditorServices): Extension {
  // An answer that comes after another question, or after Escape, is too late.
  let questions = 0;
  const ask = (view: EditorView): boolean => {
    const question = ++questions;
    const { inspect } = services();
    const pos = view.state.selection.main.head;
    void inspect?.(view.state.doc.toString(), pos)
      .then((text) => {
        if (question === questions) view.dispatch({ effects: setHelp.of(text === null ? null : tooltip(pos, text)) });
      })
      .catch(() => {});
    return true;
  };
  const close = (view: EditorView): void => {
    questions += 1;
    if (view.state.field(help) !== null) view.dispatch({ effects: setHelp.of(null) });
  };
  // Completion ends with it, also one that is pending. With neither on the screen, the key is for others.
  const onEscape = (view: EditorView): boolean => {
    const isShown = view.state.field(help) !== null || completionStatus(view.state) === "active";
    close(view);
    closeCompletion(view);
    return isShown;
  };
  const onType = EditorView.updateListener.of(({ view, transactions, docChanged }) => {
    if (!docChanged) return;
    const typed = transactions.some((one) => one.isUserEvent("input.type"));
    const { head } = view.state.selection.main;
    const before = view.state.sliceDoc(Math.max(0, head - 1), head);
    if (typed && before === "(") ask(view);
    else if (before === ")" || view.state.doc.length === 0) close(view);
  });
  return [
    help,
    onType,
    Prec.highest(
      keymap.of([
        { key: "Mod-i", run: ask, preventDefault: true },
        { key: "Escape", run: onEscape },
      ]),
    ),
  ];
}

function tooltip(pos: number, text: string): Tooltip {
  return {
    pos,
    above: true,
    create: () => {
      const dom = document.createElement("div");
      dom.className = "signature";
      dom.textContent = text;
      dom.setAttribute("role", "status");
      return { dom };
    },
  };
}
