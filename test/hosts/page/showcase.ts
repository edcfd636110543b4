import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { storedCell, writeNotebook } from "./notebook-files.ts";
import type { OpenPage } from "./open-page.ts";

const plot = `<svg xmlns="http://www.w3.org/2000/svg" width="360" height="150" viewBox="0 0 360 150"><rect width="360" height="150" fill="#fff"/>
<polyline fill="none" stroke="#9a5406" stroke-width="3" points="10,130 60,96 110,104 160,62 210,70 260,38 310,46 350,16"/></svg>`;

const table = `<table class="dataframe"><thead><tr><th></th><th>city</th><th>size</th></tr></thead><tbody>
<tr><th>0</th><td>Ulm</td><td>9</td></tr><tr><th>1</th><td>Bonn</td><td>33</td></tr><tr><th>2</th><td>Berlin</td><td>120</td></tr></tbody></table>`;

/** A session and a notebook with something of everything, for checks of the look. @returns the session's id */
export async function showcase(page: OpenPage): Promise<string> {
  const agent = page.runtime.session("sales", { owner: "claude", label: "claude" });
  const run = (code: string, title?: string) => agent.run({ code, title }).result;
  writeFileSync(
    join(page.folder, "cities.py"),
    `from IPython.display import HTML, SVG\ntable = lambda rows: HTML(${JSON.stringify(table)})\nplot = lambda rows: SVG(${JSON.stringify(plot)})\n`,
  );
  await run("rows = [('Ulm', 9), ('Bonn', 33), ('Berlin', 120)]\nprint('loaded', len(rows), 'rows')", "Load the rows");
  await run(
    "from IPython.display import display\nfrom cities import plot, table\ndisplay(table(rows), plot(rows))",
    "Show them",
  );
  await run("from IPython.display import JSON, Markdown");
  await run(
    "display(Markdown('## Report\\n\\nSizes *grow*. See `rows`.\\n\\n- one\\n- two'))\ndisplay(JSON({'rows': 3, 'last': ['Berlin', 120]}))",
  );
  await run(
    "import json\nprint('\\x1b[32mok\\x1b[0m \\x1b[31mbad\\x1b[0m \\x1b[33mwarn\\x1b[0m')\njson.loads('{')",
    "Fails",
  );
  const result = { output_type: "execute_result", execution_count: 2, metadata: {}, data: { "text/plain": "162" } };
  writeNotebook(page.folder, "report.ipynb", [
    storedCell("title", "# Sizes of cities\n\nA short report with a [link](https://example.org) and `code`.", {
      type: "markdown",
    }),
    storedCell("load", "rows = [('Ulm', 9), ('Bonn', 33), ('Berlin', 120)]\nlen(rows)"),
    { ...storedCell("sum", "sum(size for _, size in rows)", { outputs: [result] }), execution_count: 2 },
    storedCell("plot", "plot(rows)", {
      outputs: [
        {
          output_type: "display_data",
          metadata: {},
          data: { "image/svg+xml": plot, "text/plain": "a line that rises" },
        },
      ],
    }),
    storedCell("raw", "raw text", { type: "raw" }),
  ]);
  const { body } = await page.rest<{ sessions: readonly { id: string }[] }>("GET", "sessions");
  return encodeURIComponent(body.sessions[0]?.id ?? "");
}

/** The views of the page, each with a selector of its last part. */
export const places = (
  session: string,
): Readonly<Record<string, { readonly address: string; readonly ready: string }>> => ({
  sessions: { address: "#/", ready: ".session-row" },
  session: { address: `#/session/${session}`, ready: ".error-title" },
  notebooks: { address: `#/notebooks/${session}`, ready: ".notebook-row" },
  notebook: { address: `#/notebook/${session}/report.ipynb`, ready: "#notebook-cell-title h1" },
});
