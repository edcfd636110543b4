import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap, placeholder } from "@codemirror/view";
import { effect, type Signal, untracked } from "@preact/signals";
import { editorKeys } from "./editor-keys.ts";
import { editorLook, pythonColours } from "./editor-look.ts";
import { fromKernel } from "./kernel-completion.ts";
import { signatureHelp } from "./signature-help.ts";
import { typedOver } from "./typed-over.ts";

/** Where the reader goes after a run: to the next cell, nowhere, or into a new cell below. */
export type AfterRun = "next" | "stay" | "insert";

/** The services that an editor uses. Without the kernel's answers, it completes nothing. */
export interface EditorServices {
  onRun(then: AfterRun): void;
  /** Earlier code, the oldest first. */
  readonly earlier?: (() => readonly string[]) | undefined;
  readonly complete?: ((code: string, cursor: number, signal: AbortSignal) => Promise<KernelMatches>) | undefined;
  /** A description of the name at the cursor; null for none. */
  readonly inspect?: ((code: string, cursor: number) => Promise<string | null>) | undefined;
}

export interface KernelMatches {
  readonly matches: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly details?: readonly { readonly kind: string; readonly signature?: string }[] | undefined;
}

interface CodeEditorOptions {
  readonly code: Signal<string>;
  readonly label: string;
  readonly placeholder: string;
  readonly language: "python" | "text";
  readonly cursor: number;
  readonly services: () => EditorServices;
}

/** In pixels of the window; `scrollTop`: how far the code was scrolled. */
export interface ClickedPlace {
  readonly x: number;
  readonly y: number;
  readonly scrollTop: number;
}

/** CodeMirror, in a shadow root: there its styles need no exception from the content policy. */
export class CodeEditor {
  readonly #view: EditorView;
  readonly #stop: () => void;

  constructor(place: HTMLElement, options: CodeEditorOptions) {
    const { code, label, language, cursor, services } = options;
    const root = place.shadowRoot ?? place.attachShadow({ mode: "open" });
    const box = root.appendChild(document.createElement("div"));
    const tell = EditorView.updateListener.of((update) => {
      if (update.docChanged) code.value = update.state.doc.toString();
    });
    const extensions = [
      [history(), drawSelection(), typedOver, editorLook, EditorView.lineWrapping],
      language === "python" ? pythonHelp(services) : [],
      [placeholder(options.placeholder), EditorView.contentAttributes.of({ "aria-label": label }), tell],
      editorKeys(services),
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
    ];
    const anchor = Math.min(cursor, code.value.length);
    const state = EditorState.create({ doc: code.value, selection: { anchor }, extensions });
    this.#view = new EditorView({ state, parent: box, root });
    this.#stop = effect(() => {
      const text = code.value;
      // Listeners of the view read other signals, and this must not depend on them.
      untracked(() => this.#replace(text));
    });
  }

  /** @param click the place of the click that opened the editor: the cursor goes there */
  focus(click?: ClickedPlace): void {
    if (click !== undefined) {
      this.#view.scrollDOM.scrollTop = click.scrollTop;
      const anchor = this.#view.posAtCoords(click, false);
      this.#view.dispatch({ selection: { anchor } });
    }
    this.#view.focus();
  }

  destroy(): void {
    this.#stop();
    this.#view.dom.parentElement?.remove();
    this.#view.destroy();
  }

  /** A change from outside, such as the empty code after a run. */
  #replace(code: string): void {
    const { doc } = this.#view.state;
    if (doc.toString() === code) return;
    this.#view.dispatch({ changes: { from: 0, to: doc.length, insert: code }, selection: { anchor: code.length } });
  }
}

function pythonHelp(services: () => EditorServices): Extension {
  return [
    [python(), syntaxHighlighting(pythonColours), indentOnInput(), indentUnit.of("    "), bracketMatching()],
    closeBrackets(),
    // In this order: a pending completion takes Escape for itself.
    signatureHelp(services),
    autocompletion({ override: [fromKernel(services)], icons: false, interactionDelay: 0 }),
  ];
}
