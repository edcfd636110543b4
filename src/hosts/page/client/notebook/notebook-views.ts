export { NotebookListView } from "./notebook-list-view.ts";
export { NotebookPageView } from "./notebook-page-view.ts";
