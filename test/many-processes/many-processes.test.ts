import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { stopSharedGateways } from "../../src/kernel/gateway/shared/shared-gateway.ts";
import { environment, newestPython } from "../environment/pythons.ts";
import { isLong } from "../environment/variants.ts";
import { TestHub } from "../hub/test-hub.ts";

const members = isLong ? 20 : 4;
const rounds = isLong ? 10 : 3;
const notebook = { nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [] };

interface Report {
  readonly what: string;
  readonly mark: string;
  readonly more?: string;
}

const jupyter = environment("main");
const python = "missing" in jupyter ? newestPython().path : jupyter.python;
const hub = new TestHub({ PATH: `${dirname(python)}:/usr/bin:/bin` });
const folder = join(hub.folder, "shared");
afterAll(async () => {
  await stopSharedGateways(hub.home);
  await hub[Symbol.asyncDispose]();
});

class Member {
  readonly reports: Report[] = [];
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;
  stderr = "";

  constructor(name: string, backend: string) {
    const args = [inRepository("test/many-processes/member.mjs"), folder, name, String(rounds), backend];
    this.#child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, ...hub.env } });
    let text = "";
    this.#child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = `${text}${chunk}`.split("\n");
      text = lines.pop() ?? "";
      this.reports.push(...lines.map((line) => JSON.parse(line) as Report));
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      this.stderr += chunk;
    });
    this.ended = new Promise((resolve) => this.#child.once("close", (code) => resolve(code)));
  }

  /** Ends it in the middle of its work: after so many reports. */
  async killAfter(count: number): Promise<void> {
    while (this.reports.length < count && this.#child.exitCode === null) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    this.#child.kill("SIGKILL");
  }
}

test(
  `${members} processes share a hub, a notebook, an artifact folder and settings, and some are killed: nothing is lost`,
  async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "shared.ipynb"), JSON.stringify(notebook));
    writeFileSync(join(folder, "settings.json"), '{"python.allowEnv": ["END"]}\n');
    const backends = isLong && !("missing" in jupyter) ? ["gateway", "runner", "none", "none"] : ["runner", "none"];
    const all = Array.from(
      { length: members },
      (_, index) => new Member(`m${index}`, backends[index % backends.length] as string),
    );
    const killed = all.filter((_, index) => index % 4 === 3);
    await Promise.all(killed.map((member, index) => member.killAfter(2 + index)));
    const others = all.filter((member) => !killed.includes(member));
    expect(await Promise.all(others.map(({ ended }) => ended))).toEqual(others.map(() => 0));
    expect(others.map(({ stderr }) => stderr).join("")).toBe("");

    const reports = all.flatMap((member) => member.reports);
    const marks = (what: string) => reports.filter((report) => report.what === what).map(({ mark }) => mark);
    expect(reports.filter(({ what }) => what === "refused")).toEqual([]);
    expect(marks("hub")).toHaveLength(new Set(marks("hub")).size);

    // A killed process may have done one more thing than it could report.
    const read = ["run", "--session", "shared", "-c", "import json; print(json.dumps(marks))"];
    const inHub = JSON.parse((await hub.granary(read, { cwd: folder })).stdout) as string[];
    const { cells } = JSON.parse(readFileSync(join(folder, "shared.ipynb"), "utf8"));
    const inNotebook = cells.map(({ source }: { source: string | string[] }) => JSON.parse([source].flat().join("")));
    const allowed = JSON.parse(readFileSync(join(folder, "settings.json"), "utf8"))["python.allowEnv"] as string[];
    for (const [what, there] of [
      ["hub", inHub],
      ["notebook", inNotebook],
      ["settings", allowed.slice(0, -1)],
    ] as const) {
      expect(
        there.filter((mark: string, index: number) => there.indexOf(mark) !== index),
        `twice in ${what}`,
      ).toEqual([]);
      expect(
        marks(what).filter((mark) => !there.includes(mark)),
        `lost in ${what}`,
      ).toEqual([]);
      expect(there.length - marks(what).length, `unreported in ${what}`).toBeLessThanOrEqual(killed.length);
    }

    const artifacts = reports.filter(({ what }) => what === "artifact");
    expect(new Set(artifacts.map(({ more }) => more)).size).toBe(artifacts.length);
    const files = readdirSync(join(folder, "artifacts"), { recursive: true, encoding: "utf8" });
    for (const { mark, more } of artifacts) {
      const id = String(more).replace("artifact://", "");
      const file = files.find((name) => name.includes(`${id}.`));
      expect(readFileSync(join(folder, "artifacts", String(file)), "utf8"), id).toBe(
        `${`${mark} `.repeat(20)}\n`.repeat(2000).concat("\n"),
      );
    }

    // Locks of killed owners are taken over, and nobody leaves one behind.
    await hub.granary(["notebook", "clear", "shared.ipynb"], { cwd: folder });
    expect(existsSync(join(folder, "shared.ipynb.lock"))).toBe(false);
  },
  20 * 60_000,
);
