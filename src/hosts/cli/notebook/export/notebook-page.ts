import { basename } from "node:path";
import type { NotebookCell } from "../../../../notebook/cell.ts";
import { joined } from "../../../../notebook/cell.ts";
import type { Notebook } from "../../../../notebook/notebook.ts";
import { escapeHtml, safeHtml } from "../../../../output/html/safe-html.ts";
import { isJsonObject } from "../../../../support/json/parse.ts";
import { PythonTokenizer } from "../../../../view/highlight/python.ts";
import { outputHtml } from "./output-html.ts";

/** Light and dark, narrow and wide, and for print. */
const pageStyle = `
:root { color-scheme: light dark; --text: #1f2328; --back: #fff; --soft: #f6f8fa; --line: #d1d9e0; --muted: #59636e;
  --keyword: #cf222e; --string: #0a3069; --comment: #59636e; --number: #0550ae; --name: #6639ba; --error: #ffebe9; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --back: #0d1117; --soft: #151b23; --line: #3d444d; --muted: #9198a1;
  --keyword: #ff7b72; --string: #a5d6ff; --comment: #9198a1; --number: #79c0ff; --name: #d2a8ff; --error: #3c1618; } }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 56rem; margin: 0 auto; padding: 2rem 1rem; }
section { margin: 1.25rem 0; overflow-wrap: break-word; }
pre { margin: 0; padding: .6rem .8rem; overflow-x: auto; font: 13.5px/1.5 ui-monospace, monospace; }
.prompt { color: var(--muted); font: 12px ui-monospace, monospace; }
.source { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; }
.outputs { padding: .3rem 0 0 .8rem; overflow-x: auto; }
.stderr, .error { background: var(--error); border-radius: 6px; }
.note, figcaption { color: var(--muted); }
.keyword { color: var(--keyword); } .string { color: var(--string); } .comment { color: var(--comment); }
.number, .builtin { color: var(--number); } .definition, .decorator { color: var(--name); }
img { max-width: 100%; background: #fff; }
table { border-collapse: collapse; font-size: 14px; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: right; }
blockquote { margin: 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--muted); }
:not(pre) > code { background: var(--soft); padding: .1em .3em; border-radius: 4px; }
@media print { main { max-width: none; } pre { white-space: pre-wrap; } }
`;

/** A notebook as one self-contained page without scripts. */
export async function notebookPage(notebook: Notebook, path: string): Promise<string> {
  const { markdownToHtml } = await import("../../../../output/html/markdown-to-html.ts");
  const markdown = (cell: NotebookCell) => safeHtml(markdownToHtml(cell.source), { pictureAt: pictureIn(cell) });
  const cells = notebook.cells.map((cell) => cellHtml(cell, markdown));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(basename(path))}</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
${cells.join("\n")}
</main>
</body>
</html>
`;
}

function cellHtml(cell: NotebookCell, markdown: (cell: NotebookCell) => string): string {
  switch (cell.type) {
    case "markdown":
      return `<section class="markdown">${markdown(cell)}</section>`;
    case "raw":
    case "unknown":
      return `<section class="raw"><pre>${escapeHtml(cell.source)}</pre></section>`;
    case "code": {
      const count = cell.executionCount === null ? " " : cell.executionCount;
      const outputs = cell.outputs.map(outputHtml).join("");
      const source = `<div class="prompt">[${count}]</div><pre class="source">${codeHtml(cell.source)}</pre>`;
      return `<section class="code">${source}<div class="outputs">${outputs}</div></section>`;
    }
  }
}

function codeHtml(source: string): string {
  const tokenizer = new PythonTokenizer();
  const lines = source.split("\n").map((line) =>
    tokenizer
      .line(line)
      .map(({ kind, text }) => (kind === null ? escapeHtml(text) : `<span class="${kind}">${escapeHtml(text)}</span>`))
      .join(""),
  );
  return lines.join("\n");
}

/** Attachments of a Markdown cell are named `attachment:name.png` in its text. */
function pictureIn(cell: NotebookCell): (address: string) => string | null {
  return (address) => {
    if (/^data:image\/(?:png|jpeg|gif|webp);base64,/i.test(address)) return address;
    const name = /^attachment:(.+)$/.exec(address)?.[1];
    const attachments = cell.json.get("attachments");
    if (name === undefined || !isJsonObject(attachments)) return null;
    const attachment = attachments[decodeName(name)];
    if (!isJsonObject(attachment)) return null;
    const [mime, content] =
      Object.entries(attachment).find(([type]) => /^image\/(?:png|jpeg|gif|webp)$/.test(type)) ?? [];
    return mime === undefined ? null : `data:${mime};base64,${joined(content).replace(/[^\w+/=]/g, "")}`;
  };
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
