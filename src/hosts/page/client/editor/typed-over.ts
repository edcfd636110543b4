import { EditorView } from "@codemirror/view";

/**
 * Text that is typed over a selection goes to the document directly. Otherwise Chromium first puts the text into the page with
 * the style of the old one, which the content policy refuses and reports.
 */
export const typedOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { inputType, data } = event;
    const { from, to, empty } = view.state.selection.main;
    if (inputType !== "insertText" || data === null || empty || view.composing) return false;
    event.preventDefault();
    const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: "input.type" });
    // Brackets around a selection, for example.
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
    return true;
  },
});
