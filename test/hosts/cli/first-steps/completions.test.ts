import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inRepository } from "../../../../scripts/repository.mjs";
import { commandTable } from "../../../../src/hosts/cli/main.ts";
import { newestPython } from "../../../environment/pythons.ts";
import { TestHub } from "../../../hub/test-hub.ts";
import { ProgramInTerminal } from "../../../terminal/program-in-terminal.mjs";
import { granary } from "../granary.ts";

const hub = new TestHub();
const programs = join(hub.folder, "bin");

/** Each shell as a person has it, with nothing of this machine's configuration. */
const shells = {
  bash: { command: ["bash", "--norc", "--noprofile", "-i"], set: "PS1='> '; bind 'set bell-style none'" },
  zsh: { command: ["zsh", "-f", "-i"], set: "PS1='> '; autoload -U compinit; compinit -u -D" },
  fish: {
    command: ["fish", "--no-config", "-i"],
    set: "function fish_prompt; echo '> '; end; set -U fish_greeting; set -g fish_autosuggestion_enabled 0",
  },
} as const;

const isThere = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;

beforeAll(async () => {
  mkdirSync(programs);
  symlinkSync(inRepository("bin/granary"), join(programs, "granary"));
  mkdirSync(join(hub.folder, "old notes"));
  for (const file of ["Übung eins.ipynb", "data.csv", "old notes/x.ipynb"]) writeFileSync(join(hub.folder, file), "{}");
  await hub.run("etl", "1");
  await hub.run("große Daten", "1");
});
afterAll(() => hub[Symbol.asyncDispose]());

test("granary sessions --quiet prints only names", async () => {
  expect((await hub.granary(["sessions", "--quiet"])).stdout.split("\n").sort()).toEqual(["", "etl", "große Daten"]);
});

describe.each(Object.keys(shells) as (keyof typeof shells)[])("%s", (shell) => {
  const reason = isThere(shell) ? "" : ` (skipped: ${shell} is not installed)`;
  let terminal: ProgramInTerminal | undefined;

  beforeAll(async () => {
    if (reason !== "") return;
    const { command, set } = shells[shell];
    const started = new ProgramInTerminal(command, {
      ...{ columns: 100, rows: 40, python: newestPython().path },
      cwd: hub.folder,
      env: {
        ...hub.env,
        PATH: `${programs}:${dirname(process.execPath)}:/usr/bin:/bin`,
        ...{ TERM: "xterm-256color", LANG: "C.UTF-8", HOME: hub.folder },
      },
    });
    const load = shell === "fish" ? "granary completions fish | source" : `source <(granary completions ${shell})`;
    started.enter(set);
    started.enter(`${load}; echo rea''dy`);
    await started.shows(/^ready$/m);
    terminal = started;
  });
  afterAll(() => terminal?.close());

  test.skipIf(reason !== "").each([
    ["a command", "granary noteb", "granary notebook "],
    ["a command within", "granary notebook verif", "granary notebook verify "],
    ["an option", "granary run --sess", "granary run --session "],
    [
      "an option of the command within",
      "granary notebook insert a.ipynb --aft",
      "granary notebook insert a.ipynb --after ",
    ],
    ["a session", "granary attach et", "granary attach etl "],
    ["a session with a space", "granary sessions show gro", "granary sessions show große\\ Daten "],
    ["the value of --session", "granary run --session gr", "granary run --session große\\ Daten "],
    ["a notebook, and no other file", "granary notebook run Ü", "granary notebook run Übung\\ eins.ipynb "],
    ["a notebook in a folder", "granary notebook show old\\ notes/", "granary notebook show old\\ notes/x.ipynb "],
    ["a notebook to save to", "granary sessions save etl Ü", "granary sessions save etl Übung\\ eins.ipynb "],
    ["a folder", "granary run --cwd ol", "granary run --cwd old\\ notes/"],
    ["any file", "granary run da", "granary run data.csv "],
    ["a client", "granary init ope", "granary init opencode "],
    ["a kind of backend", "granary run --backend gat", "granary run --backend gateway "],
  ])(`completes %s${reason}`, async (_, typed, completed) => {
    if (terminal === undefined) throw new Error("The shell has not started.");
    terminal.type("\x15", "\f", typed, "\t");
    // Behind the completed word, X shows whether a space was added.
    await terminal.shows(`> ${completed.trimEnd()}`);
    terminal.type("X");
    await terminal.shows(`> ${completed}X`);
  });
});

test("each script has every command; another shell is refused with their names", async () => {
  for (const shell of Object.keys(shells)) {
    const { stdout } = await granary(["completions", shell]);
    for (const name of Object.keys(commandTable)) expect(stdout).toContain(name);
  }
  const { stderr, exitCode } = await granary(["completions", "cmd"]);
  expect({ stderr, exitCode }).toEqual({
    stderr: "granary: Name one shell: granary completions bash, zsh or fish.\n",
    exitCode: 2,
  });
});
