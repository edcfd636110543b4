import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownVersion } from "../../src/support/files/own-version.ts";
import { FreshTerminal } from "../hosts/tui/fresh-terminal.ts";
import { InstalledCopy } from "./installed-copy.ts";
import { TestHub } from "./test-hub.ts";

/** Waits for a file, so that the test decides when the cell ends. */
const waits = (file: string) =>
  `import os, time\nwhile not os.path.exists(${JSON.stringify(file)}): time.sleep(0.02)\nprint('through')`;

test("two installed versions: the newer one names the hub's version and its replacement, and the cell continues", async () => {
  await using hub = new TestHub();
  using newer = new InstalledCopy("9.9.9");
  const { command } = newer;
  const run = (...args: string[]) => hub.start(args, { command }).finished;
  const go = join(hub.folder, "go");
  const started = await hub.start(["run", "--session", "long", "--background", "-c", waits(go)]).finished;
  const id = started.stdout.trim();
  const { record } = hub;
  const versions = `The hub (process ${record.pid}) is Granary ${await ownVersion()}, and this is 9.9.9.`;
  const sentence = `${versions} Replace it with: granary hub stop.`;
  const ends = " Its session ends with it.";

  // The quick client, and the two that load the full command.
  const quick = await run("run", "--session", "long", "-c", "1");
  expect(quick).toEqual({ exitCode: 3, stdout: "", stderr: `granary: ${sentence}${ends}\n` });
  expect(await run("run", "--session", "long", "--background", "-c", "1")).toEqual(quick);
  const json = await run("run", "--session", "long", "--json", "-c", "1");
  expect(json.exitCode).toBe(3);
  expect(JSON.parse(json.stdout).error).toEqual({ code: "hub-version", message: `${sentence}${ends}` });
  for (const args of [
    ["run", "--session", "long", "-c", "1"],
    ["attach", "long"],
  ]) {
    const terminal = new FreshTerminal([...command, ...args], { env: hub.env, columns: 160 });
    await terminal.shows(`${sentence}${ends}`);
    expect(await terminal.exited).toBe(3);
  }

  // Cells of the older hub can be watched.
  const sessions = await run("sessions");
  expect(sessions).toMatchObject({ exitCode: 0, stderr: `granary: ${sentence}\n` });
  expect(sessions.stdout).toMatch(/^long .* busy /m);
  const status = await run("hub", "status", "--json");
  expect(status.stderr).toBe(`granary: ${sentence}\n`);
  expect(JSON.parse(status.stdout).hub.version).toBe(record.version);

  // An MCP client gets its results in any case, from a session of its server.
  const mcp = await hub.start(["mcp"], { command, stdin: oneCall("6 * 7") }).finished;
  const ownSessions = "This server has sessions of its own until it is restarted";
  expect(mcp.stderr).toContain(`granary: ${sentence}${ends} ${ownSessions}`);
  expect(mcp.stdout).toContain('"text":"42"');
  expect(mcp.stdout).toContain(`"text":"Note: ${sentence}${ends} ${ownSessions}`);

  // The doctor warns, because --session, the page and the Jupyter server fail.
  const doctor = JSON.parse((await run("doctor", "--json")).stdout);
  expect(doctor.problems).toContainEqual({
    severity: "warning",
    problem: expect.stringContaining(versions),
    remedy: "Replace it; its sessions end with it:",
    command: "granary hub stop",
  });

  const refused = await run("hub", "stop");
  expect(refused).toEqual({
    exitCode: 3,
    stdout: "",
    stderr: `granary: ${versions}\ngranary: Cells are running in long. Wait for them, or end them with: granary hub stop --force\n`,
  });
  expect(hub.record).toEqual(record);

  const waiting = run("wait", id, id);
  writeFileSync(go, "");
  expect(await waiting).toEqual({ exitCode: 0, stdout: "through\nthrough\n", stderr: `granary: ${sentence}\n` });
  expect(await run("hub", "stop")).toMatchObject({ exitCode: 0, stdout: "Stopped the hub and its sessions.\n" });
  expect((await run("run", "--session", "long", "-c", "6 * 7")).stdout).toBe("42\n");
  expect(hub.record).toMatchObject({ version: "9.9.9" });

  // The other way round, and by force.
  await run("run", "--session", "long", "--background", "-c", waits(join(hub.folder, "never")));
  const older = await hub.start(["run", "--session", "long", "-c", "1"]).finished;
  expect(older).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("is Granary 9.9.9, and this is ") });
  expect((await hub.start(["hub", "stop", "--force"]).finished).exitCode).toBe(0);
  expect(await hub.status()).toBeNull();
});

/** The lines of an MCP client that calls `python` once and leaves. */
function oneCall(code: string): string {
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const messages = [
    { id: 1, method: "initialize", params },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name: "python", arguments: { cells: [{ code }] } } },
  ];
  return messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
}
