import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const popup = {
  background: "var(--surface)",
  color: "var(--text)",
  border: "1px solid var(--line)",
  borderRadius: "6px",
  boxShadow: "0 4px 16px #0003",
};

/** The editor as a part of the page. */
export const editorLook = EditorView.theme({
  "&": {
    fontSize: "0.87rem",
    maxHeight: "var(--editor-height)",
    background: "var(--editor-ground)",
    color: "var(--text)",
  },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5", overflow: "auto" },
  ".cm-content": { padding: "var(--editor-y) 0", caretColor: "var(--text)" },
  ".cm-line": { padding: "0 var(--editor-x)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-placeholder": { color: "var(--dim)" },
  ".cm-matchingBracket": { background: "var(--line)", outline: "none" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--busy) 28%, transparent)",
  },
  ".cm-tooltip": popup,
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "16rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    background: "var(--accent)",
    color: "var(--accent-text)",
  },
  ".cm-completionDetail": { color: "inherit", fontStyle: "normal" },
  ".signature": {
    fontFamily: "var(--mono)",
    maxWidth: "40rem",
    maxHeight: "14rem",
    overflow: "auto",
    padding: "0.5rem 0.7rem",
    whiteSpace: "pre-wrap",
  },
});

/** The same colours as in the cells. */
export const pythonColours = HighlightStyle.define([
  { tag: [tags.keyword, tags.bool, tags.null], color: "var(--hl-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--hl-string)" },
  { tag: tags.number, color: "var(--hl-number)" },
  { tag: tags.comment, color: "var(--dim)", fontStyle: "italic" },
  { tag: tags.meta, color: "var(--hl-decorator)" },
  { tag: [tags.standard(tags.variableName), tags.definition(tags.variableName)], color: "inherit" },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.definition(tags.variableName))],
    color: "var(--hl-builtin)",
  },
]);
