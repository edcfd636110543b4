import { basename } from "node:path";
import type { NotebookCell } from "../../../../notebook/cell.ts";
import { joined } from "../../../../notebook/cell.ts";
import type { Notebook } from "../../../../notebook/notebook.ts";
import { escapeHtml, safeHtml } from "../../../../output/html/safe-html.ts";
import { isJsonObject } from "../../../../support/json/parse.ts";
import { PythonTokenizer } from "../../../../view/highlight/python.ts";
import { outputHtml } from "./output-html.ts";
import { pageStyle } from "./page-style.ts";

/** A notebook as one page, with everything in it and nothing that runs. */
export async function notebookPage(notebook: Notebook, path: string): Promise<string> {
  const { marked } = await import("marked");
  const markdown = (cell: NotebookCell) =>
    safeHtml(marked.parse(cell.source, { async: false }), { pictureAt: pictureIn(cell) });
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

/** Pictures that a Markdown cell carries along are named `attachment:name.png` in its text. */
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
