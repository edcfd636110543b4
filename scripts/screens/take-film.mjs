import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ProgramInTerminal } from "../../test/terminal/program-in-terminal.mjs";
import { inRepository } from "../repository.mjs";
import { Film } from "./film.mjs";

/** Commands of an agent with a shell, and the text that both terminals must show before the next. */
const steps = /** @type {const} */ ([
  [`granary run --session etl -c 'prices = [3, 1, 4, 1, 5]'`, /new; it stays[\s\S]*\$$/, /prices = \[3/],
  [`granary run --session etl -c 'sum(prices) / len(prices)'`, /2\.8\n\$$/, /2\.8/],
  [`granary run --session etl -c 'prices[7]'`, /out of range\n\$$/, /IndexError/],
]);

/**
 * An agent's commands on the left, a person in the same session on the right: both real.
 * @param {string} python
 */
export async function takeFilm(python) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "granary-film-")));
  const programs = join(folder, "bin");
  mkdirSync(programs);
  symlinkSync(inRepository("bin/granary"), join(programs, "granary"));
  const env = {
    PATH: `${programs}:${dirname(process.execPath)}:${dirname(python)}:/usr/bin:/bin`,
    ...{ HOME: folder, LANG: "C.UTF-8", TERM: "xterm-256color", COLORTERM: "truecolor", COLORFGBG: "15;0", PS1: "$ " },
  };
  const options = { cwd: folder, env, python, columns: 66, rows: 22 };
  const film = new Film();
  const agent = new ProgramInTerminal(["sh", "-i"], options);
  /** @type {ProgramInTerminal | null} */
  let person = null;
  const frame = () => {
    const watcher = person === null ? [] : [{ terminal: person.terminal, title: "you: granary attach etl" }];
    film.add([{ terminal: agent.terminal, title: "an agent" }, ...watcher], (text) => text.replaceAll(folder, "~"));
  };
  try {
    await agent.shows(/\$$/);
    for (const [command, shows, others] of steps) {
      agent.enter(command);
      await agent.shows(shows);
      if (person === null) {
        person = new ProgramInTerminal([join(programs, "granary"), "attach", "etl"], options);
        await person.shows(/❯/);
      }
      await person.shows(others);
      frame();
    }
    person?.enter("prices.append(9); max(prices)");
    await person?.shows(/\n {2}9\n/);
    frame();
    agent.enter(`granary run --session etl -c 'prices'`);
    await agent.shows(/5, 9\]\n\$$/);
    frame();
    return film.svg(
      "An agent runs cells in a session, and a person joins the same session: each sees the variables of the other",
    );
  } finally {
    await person?.close();
    agent.enter("granary hub stop --force");
    await agent.shows(/Stopped the hub/).catch(() => undefined);
    await agent.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
