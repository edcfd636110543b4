import { execFile } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { stopSharedGateways } from "../../src/kernel/gateway/shared/shared-gateway.ts";
import type { SettingsOverrides } from "../../src/settings/settings.ts";
import { firstFew, ipykernelBackends } from "../environment/variants.ts";
import { describeWithJupyter } from "../kernel/gateway/jupyter-python.ts";
import { environmentIn, runtimeIn, temporaryFolder } from "./runtimes.ts";

const folder = temporaryFolder();
const temporary = temporaryFolder();

interface Told {
  readonly status: string;
  readonly attempts: number;
  readonly error?: string;
  readonly parts: readonly { readonly type: string; readonly bytes?: number; readonly address?: string }[];
  readonly output: string;
  readonly kept: string;
  readonly grown: number;
}

/** Runs cells in a host of their own, whose heap is small. */
async function watched(cells: readonly string[], python: SettingsOverrides["python"] = {}): Promise<readonly Told[]> {
  const script = inRepository("test/runtime/host-with-large-results.mjs");
  const runtime = inRepository("dist/runtime/runtime.js");
  const args = ["--max-old-space-size=100", script, runtime, folder, JSON.stringify(cells), JSON.stringify(python)];
  const env = { ...environmentIn(folder), TMPDIR: temporary };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const file = (address: string | undefined, ending: string): string =>
  join(folder, "home/artifacts/large", `${address?.replace("artifact://", "")}.${ending}`);

/** A cell whose value would not fit into what the host may grow by, and what is to be seen of it. */
interface Large {
  readonly cell: string;
  readonly outcome?: readonly [status: string, error: string | undefined];
  look(told: Told): void;
}

const text: Large = {
  cell: "'a' * 130_000_000",
  look: ({ parts }) => expect(statSync(file(parts[0]?.address, "txt")).size).toBe(130_000_002),
};
const raised: Large = {
  cell: "raise ValueError('b' * 130_000_000)",
  outcome: ["error", "ValueError"],
  look: ({ output }) => expect(output).toMatch(/\[traceback, 13\d MB, shown in part → artifact:\/\/large-\d+\]/),
};
const json = (betweenItems: number): Large => ({
  cell: "display({'application/json': ['c' * 10_000] * 13_000}, raw=True)",
  look: ({ parts }) => {
    const brackets = 2 - betweenItems;
    expect(statSync(file(parts[0]?.address, "json")).size).toBe(13_000 * (10_002 + betweenItems) + brackets);
  },
});
const pdf: Large = {
  cell: "display({'application/pdf': 'QUJD' * 35_000_000}, raw=True)",
  look: ({ parts }) => expect(statSync(file(parts[0]?.address, "pdf")).size).toBe(105_000_000),
};
const html: Large = {
  cell: "display({'text/html': '<p>d</p>' * 16_000_000, 'text/plain': 'short'}, raw=True)",
  look: ({ parts }) => expect(statSync(file(parts[0]?.address, "html")).size).toBe(128_000_000),
};
const updates: Large = {
  cell: "h = display({'text/plain': 'e'}, raw=True, display_id=True)\nfor _ in range(13): h.update({'text/plain': 'f' * 10_000_000}, raw=True)",
  look: ({ parts }) => expect(parts).toMatchObject([{ type: "kept", bytes: 10_000_000 }]),
};

async function expectLittleGrowth(cells: readonly Large[], python?: SettingsOverrides["python"]): Promise<void> {
  const told = await watched(
    cells.map(({ cell }) => cell),
    python,
  );
  expect(told.map(({ status, attempts, error, kept }) => [status, attempts, error, kept])).toEqual(
    cells.map(({ outcome: [status, error] = ["ok", undefined] }) => [status, 1, error, "'kept'\n"]),
  );
  expect(told.filter(({ grown }) => grown >= 100)).toEqual([]);
  for (const [at, { look }] of cells.entries()) look(told[at] as Told);
}

test("the host's memory grows by less than 100 MB for any result or exception, and the variables stay", async () => {
  await expectLittleGrowth(firstFew([text, raised, json(1), pdf, html, updates], 3));
}, 600_000);

describeWithJupyter("on a Jupyter kernel of this machine", (interpreter) => {
  afterAll(() => stopSharedGateways(environmentIn(folder).GRANARY_HOME as string));
  const cells = [text, raised, json(2), html, updates];

  // IPython hands values over in the same way, whichever transport has the messages.
  test.each(ipykernelBackends)(
    "the same is true of %s",
    async (backend) => {
      await expectLittleGrowth(firstFew(cells, 1), { backend, interpreter, startSeconds: 60 });
      expect(readdirSync(temporary).filter((name) => name.startsWith("granary-large-"))).toEqual([]);
    },
    600_000,
  );
});

test("JSON that is nested too deeply is shown in part, and stored as it came", async () => {
  await using granary = await runtimeIn(folder);
  const session = granary.session("deep");
  for (const depth of firstFew([3_000, 30_000, 5_000, 100_000], 2)) {
    const came = "[".repeat(depth) + "]".repeat(depth);
    const value = `value = []\nfor _ in range(${depth - 1}): value = [value]`;
    for (const cell of [
      `display({'application/json': '['*${depth} + ']'*${depth}}, raw=True)`,
      `${value}\ndisplay({'application/json': value}, raw=True, metadata={'deep': value})`,
    ]) {
      const { status, displays, output } = await session.run(cell).result;
      expect(status).toBe("ok");
      expect(output).toContain("[… 1 item]");
      const [kept, ...others] = displays[0]?.parts ?? [];
      expect(others).toEqual([]);
      expect(kept).toMatchObject({ type: "kept", mimeType: "application/json", bytes: 2 * depth });
      const address = kept?.type === "kept" ? kept.address : null;
      const stored = join(folder, "home/artifacts/deep", `${address?.replace("artifact://", "")}.json`);
      expect(readFileSync(stored, "utf8") === came).toBe(true);
    }
  }
  expect((await session.run("6 * 7").result).output).toBe("42\n");
});

test("a picture, a chart and a table of more than a megabyte are shown as smaller ones are", async () => {
  await using granary = await runtimeIn(folder);
  const session = granary.session("pictures");
  const chart = "{'data': [{'type': 'bar', 'y': list(range(300_000))}], 'layout': {'title': 'Big'}}";
  const { displays } = await session.run(`
import zlib, struct, os
def chunk(kind, data): return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
rows = b''.join(b'\\0' + os.urandom(3 * 620) for _ in range(620))
png = b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 620, 620, 8, 2, 0, 0, 0)) + chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b'')
display({'image/png': png}, raw=True)
display({'application/vnd.plotly.v1+json': ${chart}}, raw=True)
display({'text/html': '<table>' + '<tr><td>1</td></tr>' * 100_000 + '</table>'}, raw=True)
`).result;
  expect(displays.map(({ parts }) => parts[0]?.type)).toEqual(["image", "kept", "kept"]);
  expect(displays[0]?.parts[0]).toMatchObject({ original: { width: 620, height: 620 } });
  expect(displays[1]?.text).toContain('Plotly figure: 1 trace (bar), title "Big"');
  expect(displays[2]?.text).toContain("| 1 |");
});
