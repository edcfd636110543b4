// `node scripts/screenshots.mjs`: retakes the pictures in docs/screens with the real program in a real terminal.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ProgramInTerminal } from "../test/terminal/program-in-terminal.mjs";
import { bootstrapOrExit } from "./bootstrap.mjs";
import { inRepository, say } from "./repository.mjs";
import { svgOf } from "./screens/svg.mjs";
import { takeFilm } from "./screens/take-film.mjs";

/**
 * Keys to type, and the text that the screen must show before the next step.
 * @typedef {{
 *   name: string,
 *   title: string,
 *   rows: number,
 *   arguments?: string[],
 *   files?: Readonly<Record<string, string>>,
 *   begins?: RegExp,
 *   steps: readonly (readonly [keys: string, shows: RegExp])[],
 * }} Scene
 */

const enter = "\r";

/** @type {readonly Scene[]} */
const scenes = [
  {
    name: "console",
    title: "The console: a function is defined and called, a command run, an exception raised, a signature shown",
    rows: 30,
    steps: [
      [`prices = [3, 1, 4, 1, 5]${enter}`, /5\]\n\n❯/],
      [`def describe(values):${enter}"Count and mean."${enter}`, /mean\."\n·/],
      [`return f'{len(values)} values, mean {sum(values) / len(values):.2f}'${enter}${enter}`, /2f\}'\n\n❯/],
      [`describe(prices)${enter}`, /5 values, mean 2\.80/],
      [`!uname -s${enter}`, /Linux|Darwin/],
      [`describe([])${enter}`, /ZeroDivisionError: division by zero/],
      ["describe(", /describe\(values\)\n {2}Count and mean/],
    ],
  },
  {
    name: "plot",
    title: "The console: a plot, drawn with half blocks",
    rows: 36,
    steps: [
      [`import numpy as np, matplotlib.pyplot as plt${enter}`, /plt\n\n❯/],
      [
        `x = np.linspace(0, 12, 400); plt.figure(figsize=(7, 3)); plt.plot(x, np.sin(x) * x);${enter}`,
        /▀[\s\S]*→ .*png\]/,
      ],
    ],
  },
  {
    name: "notebook",
    title: "A notebook in the terminal: Markdown, code with its results, a plot",
    rows: 36,
    arguments: ["notebook", "open", "waves.ipynb"],
    begins: /Enter edit/,
    files: {
      "waves.ipynb": notebook([
        ["markdown", "# Waves\n\nHow a wave **grows**: `sin(x) · x`."],
        ["code", "import numpy as np\nimport matplotlib.pyplot as plt\nx = np.linspace(0, 12, 400)\nx.mean()"],
        ["code", "plt.figure(figsize=(7, 3))\nplt.plot(x, np.sin(x) * x);"],
      ]),
    },
    steps: [
      ["R", /\[2\] ✓[\s\S]*▀[\s\S]*● idle/],
      ["jj", /cell 2 of 3/],
    ],
  },
];

/** @param {readonly (readonly [type: string, source: string])[]} cells */
function notebook(cells) {
  const written = cells.map(([cell_type, source], index) => {
    const ofCode = cell_type === "code" ? { execution_count: null, outputs: [] } : {};
    return { cell_type, id: `cell-${index}`, metadata: {}, source, ...ofCode };
  });
  return JSON.stringify({ cells: written, metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1);
}

await bootstrapOrExit();
const { environments, nodeEnvironments } = JSON.parse(
  readFileSync(inRepository("node_modules/.cache/test-pythons.json"), "utf8"),
);
const { python } = environments.main;
if (python === undefined)
  throw new Error(`There is no Python with matplotlib: ${environments.main.missing} Run npm test first.`);
mkdirSync(inRepository("docs/screens"), { recursive: true });
const wanted = process.argv.slice(2);
for (const scene of scenes) {
  if (wanted.length > 0 && !wanted.includes(scene.name)) continue;
  writeFileSync(inRepository(`docs/screens/${scene.name}.svg`), await take(scene));
  say(`docs/screens/${scene.name}.svg`);
}
if (wanted.length === 0 || wanted.includes("session")) {
  const { folder, missing } = nodeEnvironments.browser;
  if (folder === undefined) throw new Error(`There is no browser: ${missing} Run npm test first.`);
  writeFileSync(inRepository("docs/screens/session.svg"), await takeFilm(python, folder));
  say("docs/screens/session.svg");
}

/** @param {Scene} scene */
async function take({ title, rows, arguments: args = ["console"], files = {}, begins = /❯\nPython/, steps }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "granary-screens-")));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const terminal = new ProgramInTerminal([process.execPath, inRepository("bin/granary"), ...args], {
    cwd: folder,
    env: {
      PATH: `${dirname(python)}:/usr/bin:/bin`,
      HOME: folder,
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      COLORTERM: "truecolor",
      COLORFGBG: "15;0",
    },
    python,
    columns: 100,
    rows,
  });
  try {
    await terminal.shows(begins);
    for (const [keys, shows] of steps) {
      terminal.type(keys);
      await terminal.shows(shows);
    }
    return svgOf(terminal.terminal, title, (text) => text.replaceAll(folder, "/home/ada"));
  } finally {
    await terminal.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
