import type { Signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "../html.ts";
import type { CodeEditor, EditorServices } from "./code-editor.ts";

export interface EditorProps extends EditorServices {
  /** The code. A change from outside appears in the editor. */
  readonly code: Signal<string>;
  /** For screen readers. */
  readonly label: string;
  readonly placeholder?: string | undefined;
}

/** A field for Python. At first a plain one; the editor, which is larger than the rest of the page, loads with its first use. */
export function PythonEditor(props: EditorProps) {
  const { code, label, placeholder = "" } = props;
  const place = useRef<HTMLDivElement>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const editor = useRef<CodeEditor | null>(null);
  const [isWanted, setWanted] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    void import("./code-editor.ts").then(({ CodeEditor }) => {
      if (!isCurrent || place.current === null) return;
      const cursor = plain.current?.selectionEnd ?? code.value.length;
      const hadFocus = document.activeElement === plain.current;
      editor.current = new CodeEditor(place.current, {
        code,
        label,
        placeholder,
        cursor,
        services: () => latest.current,
      });
      setLoaded(true);
      if (hadFocus) editor.current.focus();
    });
    return () => {
      isCurrent = false;
      editor.current?.destroy();
      editor.current = null;
    };
  }, [isWanted]);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.shiftKey || event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    props.onRun();
  };
  return html`
    <div class="editor">
      <div ref=${place}></div>
      ${
        !isLoaded &&
        html`<textarea ref=${plain} aria-label=${label} placeholder=${placeholder} spellcheck="false" rows=${code.value.split("\n").length}
          value=${code.value} onFocus=${() => setWanted(true)} onKeyDown=${onKey}
          onInput=${(event: InputEvent) => {
            code.value = (event.currentTarget as HTMLTextAreaElement).value;
          }}></textarea>`
      }
    </div>`;
}
