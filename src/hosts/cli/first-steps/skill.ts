import { argumentsOrHelp, refusePositionals } from "../command/arguments-or-help.ts";
import type { CommandContext } from "../command/command-context.ts";
import { exitCodes } from "../command/exit-codes.ts";
import { write } from "../command/write.ts";

/** `granary skill` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const typed = argumentsOrHelp(args, { plain: { type: "boolean" } }, help, context);
  if (typed === null) return exitCodes.ok;
  refusePositionals("skill", typed.positionals);
  await write(context.stdout, typed.values.plain ? skill.replace(/^---\n[\s\S]*?\n---\n\n/, "") : skill);
  return exitCodes.ok;
}

/** An agent pays for every word of it in every conversation that loads it: at most 600 tokens. */
const skill = `---
name: granary
description: Run Python that keeps its variables between commands, and edit or run Jupyter notebooks, from a shell. Use it for data analysis, plots, long computations and .ipynb files.
---

# Granary

Variables live in a named session of the folder, which outlives the command:

    granary run --session work -c 'import pandas as pd; df = pd.read_csv("sales.csv")'
    granary run --session work -c 'df.groupby("region").total.sum()'

- Code from a file or a pipe: \`granary run --session work step.py\`, \`... <<'EOF'\`.
- A cell (\`-c\`, or code from a pipe) prints its last expression; a file does not. \`!ls\` and \`%pip install x\` work in cells.
- Figures need no \`plt.show()\`: the output names the saved PNG. Open that file to see it.
- Output is whole: pipe long output to \`tail\`. \`--json\` cuts it to a model's size, and names an artifact for \`granary artifact ID --grep TEXT\`.
- Exit codes: 0 success, 1 the code failed, 2 wrong usage, 3 Granary failed or Python crashed in a cell (139 for a file that ends with SIGSEGV, as in a shell), 124 timeout (\`--timeout S\`), 130 interrupted.

Long work:

    id=$(granary run --session work --background -c 'model = train()')
    granary look work        # current line, processes, last output
    granary wait "$id"       # its output
    granary sessions interrupt work

Sessions: \`granary sessions\` lists them, \`granary sessions undo work\` takes the last cell back, \`granary sessions save work x.ipynb\` makes a notebook, \`granary sessions stop work\` ends it.
After a crash, the output says which variables are back, or that they are gone: only then run the defining cells again.

Notebooks; edits leave all other bytes unchanged, and cells have numbers from 0 or ids:

    granary notebook text report.ipynb              # read it as text
    granary notebook edit report.ipynb 2 --content 'x = 2'
    granary notebook insert report.ipynb --after 2 --content 'x * 21'
    granary notebook run report.ipynb               # saves outputs; stops at the first failure
    granary notebook check report.ipynb             # stale outputs

If something does not start: \`granary doctor\`. Every command has \`--help\`.
`;

const help = `Prints a skill file for agents that have a shell, but no MCP: how to use Granary
from commands, in fewer than 600 tokens.

Usage:
  granary skill [--plain]

Examples:
  mkdir -p .claude/skills/granary
  granary skill > .claude/skills/granary/SKILL.md
  granary skill --plain >> AGENTS.md

Agents that have MCP need no skill file: granary init

Options:
      --plain       leave out the lines between ---, which only skill files have
  -h, --help        show this

Exit codes:
  0 done      2 wrong usage
`;
