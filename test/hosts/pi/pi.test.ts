import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import { nodeEnvironment, nodeFrom } from "../../environment/nodes.ts";
import { environment } from "../../environment/pythons.ts";
import { isLong } from "../../environment/variants.ts";
import { TestHub } from "../../hub/test-hub.ts";
import { RealTerminal } from "../../terminal/real-terminal.ts";
import { standInForModel, type Turn } from "./model-stand-in.ts";

const found = environment("main");
const python = "python" in found ? found.python : "";

describe.skipIf(python === "")("in pi", () => {
  const newest = pis().findLast(({ command }) => command !== null)?.name;
  for (const { name, command } of pis()) {
    // The oldest pi runs a call; the newest, and in the long tests each, shows the rest.
    const showsAll = isLong || name === newest;
    const isBetween = !isLong && name !== newest && name !== pis()[0]?.name;
    describe.skipIf(command === null || isBetween)(name, () => {
      const start = (turns: readonly Turn[], env?: Env, resumed?: Resumed) =>
        startPi(command ?? [], turns, env, resumed);

      // The newest shows this in its conversation below.
      const isShownBelow = showsAll && !isLong && name !== pis()[0]?.name;
      test.skipIf(isShownBelow)(
        "an agent's Python call is shown cell by cell, and the next call has its variables",
        async () => {
          const pi = await start(
            [
              {
                calls: "python",
                with: { cells: [{ title: "Count", code: "for n in range(30): print('row', n)" }, { code: "x = 6" }] },
              },
              { calls: "python", with: { cells: [{ code: "x * 7" }] } },
              { says: "That is all." },
            ],
            { PI_PY: "py" },
          );
          await pi.terminal.hasShown("That is all.");
          expect(pi.terminal.scrollback).toMatch(/✓ 1\/2 Count/);
          expect(pi.terminal.scrollback).toContain("row 29");
          expect(pi.terminal.scrollback).not.toContain("row 3\n");
          expect(pi.terminal.scrollback).toMatch(/\b42\b/);
          expect(pi.answers()).toEqual([expect.stringContaining("row 29"), expect.stringMatching(/^42/)]);
          expect(toolsOf(pi)).toEqual(["python"]);
          await pi.leave();
        },
      );

      if (!showsAll) return;

      test("a notebook, a failed cell, a plot and a picture between printed lines, in one conversation", async () => {
        const plot = "import matplotlib.pyplot as plt\nplt.fill_between([0, 1], [1, 1], color='red')\nplt.show()";
        const figure = `display({"image/png": "${pixels}", "text/plain": "<Figure>"}, raw=True)`;
        const around = `print("<Figure>"); ${figure}; print("middle"); print("<Figure>")`;
        const pi = await start(
          [
            { calls: "notebook", with: { action: "insert", path: "n.ipynb", cell_index: 0, content: "print(6 * 7)" } },
            { calls: "notebook", with: { action: "run", path: "n.ipynb" } },
            { calls: "python", with: { cells: [{ code: "1/0" }] } },
            { calls: "python", with: { cells: [{ code: plot }], timeout: 120 } },
            { calls: "python", with: { cells: [{ code: around }] } },
            { calls: "python", with: { cells: [{ title: "Count", code: "print('row', 1)" }, { code: "x = 6" }] } },
            { calls: "python", with: { cells: [{ code: "x * 7" }] } },
            { says: "It is done." },
          ],
          { PI_PY: "both" },
        );
        await pi.terminal.hasShown("It is done.");
        // A failed cell is a failed call, with its traceback.
        expect(pi.terminal.scrollback).toMatch(/✗ .*ZeroDivisionError/);
        expect(pi.answers()[2]).toMatch(/^Error: .*ZeroDivisionError/);
        // A notebook is edited and run, and the file has its outputs.
        expect(pi.terminal.scrollback).toMatch(/notebook .*insert/i);
        expect(pi.terminal.scrollback).toContain("print(6 * 7)");
        const { cells } = JSON.parse(readFileSync(join(pi.folder, "n.ipynb"), "utf8"));
        expect(cells[0]).toMatchObject({ execution_count: 1, outputs: [{ name: "stdout", text: ["42\n"] }] });
        // A plot is shown, and the model gets it as a picture.
        expect(JSON.stringify(pi.asked()[4]?.messages)).toMatch(/image/);
        await pi.terminal.hasShown(/^ *▀{10,}\s*$/m);
        // A picture is shown where it was displayed, once it is decoded, regardless of the text around it.
        await pi.terminal.hasShown(/^ *<Figure>\s*\n *▀+\s*\n *middle\s*\n *<Figure>\s*$/m);
        // Cells are shown one by one, and the next call has their variables.
        expect(pi.terminal.scrollback).toMatch(/✓ 1\/2 Count/);
        expect(pi.answers().at(-1)).toMatch(/^42/);
        expect(toolsOf(pi)).toEqual(["python", "bash"]);
        await pi.leave();
      });

      test("a resumed conversation finds its variables in the hub, and learns what a person did there meanwhile", async () => {
        await using hub = new TestHub();
        const cell = (code: string): Turn => ({ calls: "python", with: { cells: [{ code }] } });
        const first = await start([cell("x = 6"), { says: "Kept." }], hub.env);
        await first.terminal.hasShown("Kept.");
        await first.leave();
        const [session] = (await hub.status())?.sessions ?? [];
        expect(session).toMatchObject({ state: "idle", lastCell: "x = 6", folder: first.folder });
        const joins = ["run", "--session", session?.name ?? "", "--cwd", first.folder, "-c", "x += 1; x"];
        expect((await hub.granary(joins)).stdout).toBe("7\n");
        const second = await start([cell("x * 6"), { says: "Resumed." }], hub.env, first);
        await second.terminal.hasShown("Resumed.");
        const answer = second.answers().at(-1);
        expect(answer).toMatch(/^42/);
        expect(answer).toContain("Since your last call, granary run ran 1 cell: x += 1; x");
        await second.leave();
      });

      // toolbox.test.ts shows what PI_PY chooses.
      test.runIf(isLong)("PI_PY=bash leaves pi its own bash, and no Python", async () => {
        const pi = await start([{ says: "Nothing to do." }], { PI_PY: "bash" });
        await pi.terminal.hasShown("Nothing to do.");
        expect(toolsOf(pi)).toEqual(["bash"]);
        await pi.leave();
      });
    });
  }
});

/** Of the tools that PI_PY chooses from; others are always there. */
function toolsOf(pi: { asked(): Awaited<ReturnType<typeof standInForModel>>["asked"] }): readonly string[] {
  const names = pi.asked()[0]?.tools.map((tool) => tool.function.name) ?? [];
  expect(names).toContain("read");
  return ["python", "bash"].filter((name) => names.includes(name));
}

/** Two pixels, a red one and a blue one. */
const pixels = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR42mP4zwAE/wEHAAH/PX2MSQAAAABJRU5ErkJggg==";

type Env = Readonly<Record<string, string>>;

/** A conversation that another pi has begun. */
interface Resumed {
  readonly folder: string;
  readonly agentFolder: string;
}

function pis() {
  const mcp = nodeEnvironment("mcp");
  const newerNode = "folder" in mcp ? nodeFrom(22, mcp.folder) : null;
  const newerWith = (...flags: string[]) => (newerNode === null ? null : [newerNode, ...flags]);
  const parts = new URL("unpublished-parts.mjs", import.meta.url).href;
  return [
    { name: "0.74, the newest for Node 20", command: commandOf("pi", [process.execPath]) },
    { name: "0.87, the newest that is published whole, on a newer Node", command: commandOf("pi-newer", newerWith()) },
    { name: "1.4, with stand-ins for its unpublished parts", command: commandOf("pi-1", newerWith("--import", parts)) },
  ];
}

function commandOf(name: "pi" | "pi-newer" | "pi-1", node: readonly string[] | null): readonly string[] | null {
  const packages = nodeEnvironment(name);
  if (node === null || !("folder" in packages)) return null;
  const cli = join(packages.folder, "node_modules/@earendil-works/pi-coding-agent/dist/cli.js");
  return existsSync(cli) ? [...node, cli] : null;
}

/** The real pi with our extension, in a terminal, with a scripted model. */
async function startPi(pi: readonly string[], turns: readonly Turn[], env: Env = {}, resumed?: Resumed) {
  const model = await standInForModel(turns);
  onTestFinished(() => model[Symbol.asyncDispose]());
  const folder = resumed?.folder ?? mkdtempSync(join(tmpdir(), "granary-pi-"));
  writeFileSync(join(folder, "n.ipynb"), '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}\n');
  const agentFolder = resumed?.agentFolder ?? mkdtempSync(join(tmpdir(), "granary-pi-agent-"));
  const provider = { baseUrl: model.url, api: "openai-completions", apiKey: "none", models: [standIn] };
  writeFileSync(join(agentFolder, "models.json"), JSON.stringify({ providers: { here: provider } }));
  const command = [...pi, "-e", inRepository("dist/library/pi.js"), "--model", "here/stand-in"];
  command.push(...(resumed === undefined ? [] : ["--continue"]), "Please.");
  const terminal = new RealTerminal(command, {
    // pi clears what scrolled away when it draws everything again.
    rows: 150,
    cwd: folder,
    env: {
      PATH: `${dirname(python)}:/usr/bin:/bin`,
      HOME: agentFolder,
      GRANARY_HOME: join(agentFolder, "granary"),
      GRANARY_HUB: "never",
      PI_CODING_AGENT_DIR: agentFolder,
      PI_OFFLINE: "1",
      TERM: "xterm-256color",
      COLORTERM: "truecolor",
      ...env,
    },
  });
  return {
    terminal,
    folder,
    agentFolder,
    asked: () => model.asked,
    /** The tools' answers to the model, in order. */
    answers: (): readonly string[] =>
      (model.asked.at(-1)?.messages ?? []).filter(({ role }) => role === "tool").map(({ content }) => textOf(content)),
    async leave() {
      terminal.type("\x04");
      expect(await terminal.exited).toBe(0);
    },
  };
}

const standIn = { id: "stand-in", input: ["text", "image"] };

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return (content as readonly { readonly text?: string }[]).map(({ text = "" }) => text).join("");
}
