import type { Signal } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { html } from "../html.ts";
import type { AfterRun, ClickedPlace, CodeEditor, EditorServices } from "./code-editor.ts";

export interface EditorProps extends EditorServices {
  /** The code. A change from outside appears in the editor. */
  readonly code: Signal<string>;
  /** For screen readers. */
  readonly label: string;
  readonly placeholder?: string | undefined;
  /** `text` has neither colours nor completion. */
  readonly language?: "python" | "text" | undefined;
  /** Takes the focus as soon as it is there; at the place of a click, where there was one. */
  readonly takesFocus?: boolean | ClickedPlace | undefined;
}

type EditorModule = typeof import("./code-editor.ts");

let loaded: EditorModule | null = null;

/** Loads the editor, which is larger than the rest of the page, before its first use. */
export async function loadEditor(): Promise<EditorModule> {
  loaded ??= await import("./code-editor.ts");
  return loaded;
}

/** A field for code: a plain one until the editor has loaded. */
export function PythonEditor(props: EditorProps) {
  const { code, label, placeholder = "", takesFocus = false } = props;
  const place = useRef<HTMLDivElement>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const [isWanted, setWanted] = useState(takesFocus !== false);
  const [isLoaded, setLoaded] = useState(false);
  const latest = useRef(props);
  latest.current = props;
  // Before the browser draws: a loaded editor appears at once.
  useLayoutEffect(() => {
    if (!isWanted) return;
    let editor: CodeEditor | null = null;
    let isOver = false;
    const mount = ({ CodeEditor }: EditorModule): void => {
      if (isOver || place.current === null) return;
      editor = new CodeEditor(place.current, {
        ...{ code, label, placeholder, language: props.language ?? "python" },
        cursor: plain.current?.selectionEnd ?? code.peek().length,
        services: () => latest.current,
      });
      if (document.activeElement === plain.current)
        editor.focus(typeof takesFocus === "object" ? takesFocus : undefined);
      setLoaded(true);
    };
    if (takesFocus !== false) focusAtEnd(plain.current);
    if (loaded === null) void loadEditor().then(mount);
    else mount(loaded);
    return () => {
      isOver = true;
      editor?.destroy();
    };
  }, [isWanted]);
  return html`
    <div class="editor">
      <div ref=${place}></div>
      ${
        !isLoaded &&
        html`<textarea ref=${plain} aria-label=${label} placeholder=${placeholder} spellcheck="false" rows=${code.value.split("\n").length}
          value=${code.value} onFocus=${() => setWanted(true)} onKeyDown=${(event: KeyboardEvent) => runOnEnter(event, props)}
          onInput=${(event: InputEvent) => {
            code.value = (event.currentTarget as HTMLTextAreaElement).value;
          }}></textarea>`
      }
    </div>`;
}

function focusAtEnd(field: HTMLTextAreaElement | null): void {
  field?.focus({ preventScroll: true });
  field?.setSelectionRange(field.value.length, field.value.length);
}

/** The plain field runs with the same keys as the editor. */
function runOnEnter(event: KeyboardEvent, { onRun }: EditorServices): void {
  if (event.key !== "Enter") return;
  const then: AfterRun | null = event.shiftKey
    ? "next"
    : event.ctrlKey || event.metaKey
      ? "stay"
      : event.altKey
        ? "insert"
        : null;
  if (then === null) return;
  event.preventDefault();
  onRun(then);
}
