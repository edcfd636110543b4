import { execFile } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { stopSharedGateways } from "../../src/kernel/gateway/shared/shared-gateway.ts";
import type { SettingsOverrides } from "../../src/settings/settings.ts";
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

test("the host's memory grows by less than 100 MB for any result or exception, and the variables stay", async () => {
  const told = await watched([
    "'a' * 300_000_000",
    "raise ValueError('b' * 150_000_000)",
    "display({'application/json': ['c' * 10_000] * 20_000}, raw=True)",
    "display({'application/pdf': 'QUJD' * 50_000_000}, raw=True)",
    "display({'text/html': '<p>d</p>' * 20_000_000}, raw=True)",
    "h = display({'text/plain': 'e'}, raw=True, display_id=True)\nfor _ in range(5): h.update({'text/plain': 'f' * 40_000_000}, raw=True)",
  ]);
  expect(told.map(({ status, attempts, error, kept }) => [status, attempts, error, kept])).toEqual([
    ["ok", 1, undefined, "'kept'\n"],
    ["error", 1, "ValueError", "'kept'\n"],
    ...Array(4).fill(["ok", 1, undefined, "'kept'\n"]),
  ]);
  for (const { grown } of told) expect(grown).toBeLessThan(100);
  const [text, raised, json, pdf, html, updated] = told;
  expect(statSync(file(text?.parts[0]?.address, "txt")).size).toBe(300_000_002);
  expect(raised?.output).toMatch(/\[traceback, 150 MB, shown in part → artifact:\/\/large-\d+\]/);
  expect(statSync(file(json?.parts[0]?.address, "json")).size).toBe(20_000 * 10_003 + 1);
  expect(statSync(file(pdf?.parts[0]?.address, "pdf")).size).toBe(150_000_000);
  expect(statSync(file(html?.parts[0]?.address, "html")).size).toBe(160_000_000);
  expect(updated?.parts).toMatchObject([{ type: "kept", bytes: 40_000_000 }]);
}, 600_000);

describeWithJupyter("on a Jupyter kernel of this machine", (interpreter) => {
  afterAll(() => stopSharedGateways(environmentIn(folder).GRANARY_HOME as string));

  test.each(["zmq", "gateway"] as const)(
    "the same is true of %s",
    async (backend) => {
      const told = await watched(
        [
          "'a' * 200_000_000",
          "raise ValueError('b' * 150_000_000)",
          "display({'application/json': ['c' * 10_000] * 15_000}, raw=True)",
          "display({'text/html': '<p>d</p>' * 20_000_000, 'text/plain': 'short'}, raw=True)",
          "h = display({'text/plain': 'e'}, raw=True, display_id=True)\nfor _ in range(30): h.update({'text/plain': 'f' * 10_000_000}, raw=True)",
        ],
        { backend, interpreter, startSeconds: 60 },
      );
      expect(told.map(({ status, attempts, error, kept }) => [status, attempts, error, kept])).toEqual([
        ["ok", 1, undefined, "'kept'\n"],
        ["error", 1, "ValueError", "'kept'\n"],
        ...Array(3).fill(["ok", 1, undefined, "'kept'\n"]),
      ]);
      expect(told.filter(({ grown }) => grown >= 100)).toEqual([]);
      const [text, raised, json, html, updated] = told;
      expect(statSync(file(text?.parts[0]?.address, "txt")).size).toBe(200_000_002);
      expect(raised?.output).toMatch(/\[traceback, \d+ MB, shown in part → artifact:\/\/large-\d+\]/);
      expect(statSync(file(json?.parts[0]?.address, "json")).size).toBe(15_000 * 10_004);
      expect(statSync(file(html?.parts[0]?.address, "html")).size).toBe(160_000_000);
      expect(updated?.parts).toMatchObject([{ type: "kept", bytes: 10_000_000 }]);
      expect(readdirSync(temporary).filter((name) => name.startsWith("granary-large-"))).toEqual([]);
    },
    600_000,
  );
});

test("JSON that is nested too deeply is shown in part, and stored as it came", async () => {
  await using granary = await runtimeIn(folder);
  const session = granary.session("deep");
  for (const depth of [3_000, 5_000, 100_000]) {
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
rows = b''.join(b'\\0' + os.urandom(3 * 1000) for _ in range(1000))
png = b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 1000, 1000, 8, 2, 0, 0, 0)) + chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b'')
display({'image/png': png}, raw=True)
display({'application/vnd.plotly.v1+json': ${chart}}, raw=True)
display({'text/html': '<table>' + '<tr><td>1</td></tr>' * 100_000 + '</table>'}, raw=True)
`).result;
  expect(displays.map(({ parts }) => parts[0]?.type)).toEqual(["image", "kept", "kept"]);
  expect(displays[0]?.parts[0]).toMatchObject({ original: { width: 1000, height: 1000 } });
  expect(displays[1]?.text).toContain('Plotly figure: 1 trace (bar), title "Big"');
  expect(displays[2]?.text).toContain("| 1 |");
});
