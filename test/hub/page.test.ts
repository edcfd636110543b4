import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FreshTerminal, granaryCommand } from "../hosts/tui/fresh-terminal.ts";
import { TestHub } from "./test-hub.ts";

test("granary page --no-open starts the hub and prints an address that works once, and nothing else", async () => {
  await using hub = new TestHub();
  const { stdout, stderr, exitCode } = await hub.granary(["page", "--no-open"]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/page#code=[\w-]{32}\n$/);
  await hub.run("etl", "rows = 3");

  const { origin, hash } = new URL(stdout);
  const body = JSON.stringify({ code: hash.slice("#code=".length) });
  const exchanged = await fetch(`${origin}/page/api/token`, { method: "POST", body });
  const { token } = (await exchanged.json()) as { readonly token: string };
  expect((await fetch(`${origin}/page/api/token`, { method: "POST", body })).status).toBe(403);
  const headers = { Authorization: `Bearer ${token}` };
  const { sessions } = (await (await fetch(`${origin}/page/api/sessions`, { headers })).json()) as {
    readonly sessions: readonly { readonly name: string }[];
  };
  expect(sessions.map(({ name }) => name)).toEqual(["etl"]);
  const files = await fetch(`${origin}/page`);
  expect(await files.text()).toContain("/page/assets/main.js");

  // Both sites are on one port, and neither takes the other's token.
  const jupyter = new URL((await hub.granary(["hub", "jupyter"])).stdout);
  expect(jupyter.origin).toBe(origin);
  expect((await fetch(`${origin}/api/kernels`, { headers })).status).toBe(403);
  const theirs = { Authorization: `Bearer ${jupyter.searchParams.get("token")}` };
  expect((await fetch(`${origin}/page/api/sessions`, { headers: theirs })).status).toBe(403);

  // The browser gets the address in a file: other users of the machine see arguments.
  const browser = join(hub.folder, "browser");
  writeFileSync(browser, `#!/bin/sh\necho "$1" > ${hub.folder}/opened\n`, { mode: 0o755 });
  const opened = await hub.granary(["page"], { env: { BROWSER: browser } });
  expect({ stdout: opened.stdout, exitCode: opened.exitCode }).toEqual({ stdout: "", exitCode: 0 });
  expect(opened.stderr).toContain(`Opened ${origin}/page in the browser`);
  expect(opened.stderr).not.toContain("code=");
  const missing = await hub.granary(["page"], { env: { BROWSER: join(hub.folder, "none") } });
  expect(missing).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(/^No browser was found: .*\. Open this/),
  });
  expect(missing.stdout).toMatch(new RegExp(`^${origin}/page#\\S+\n$`));
});

test("granary page without the hub is wrong usage", async () => {
  await using hub = new TestHub();
  const { stderr, exitCode } = await hub.granary(["page"], { env: { GRANARY_HUB: "never" } });
  expect(exitCode).toBe(2);
  expect(stderr).toContain("GRANARY_HUB is never");
});

test("a question of input() in a terminal can be answered in the page, and the first answer counts", async () => {
  await using hub = new TestHub();
  await hub.run("talk", "1");
  const ask = [...granaryCommand, "run", "--session", "talk", "--cwd", hub.folder, "-c"];
  const first = new FreshTerminal([...ask, "name = input('Name? ')\nprint('hello', name)"], { env: hub.env });
  await first.shows("Name?");
  // Opened after the question.
  const { origin, hash } = new URL((await hub.granary(["page", "--no-open"])).stdout);
  const body = JSON.stringify({ code: hash.slice("#code=".length) });
  const exchanged = await fetch(`${origin}/page/api/token`, { method: "POST", body });
  const headers = { Authorization: `Bearer ${((await exchanged.json()) as { readonly token: string }).token}` };
  const api = (path: string, sent?: object): Promise<Response> =>
    fetch(`${origin}/page/api/${path}`, { headers, ...(sent && { method: "POST", body: JSON.stringify(sent) }) });
  const listed = async () => {
    const { sessions } = (await (await api("sessions")).json()) as {
      readonly sessions: readonly { readonly id: string; readonly work: readonly { readonly id: string }[] }[];
    };
    return { at: `sessions/${sessions[0]?.id}`, cell: sessions[0]?.work[0]?.id };
  };
  const { at, cell } = await listed();
  const events = (await api(`${at}/events`)).body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await events?.read())?.value).toContain('"question":{"prompt":"Name? ","password":false}');
  expect((await api(`${at}/answer`, { cell, text: "Ada" })).status).toBe(204);
  await first.shows(/Name\? \(Another client has answered\.\)\nhello Ada/);
  expect(await first.exited).toBe(0);

  const second = new FreshTerminal([...ask, "name = input('Again? ')\nprint('hello', name)"], { env: hub.env });
  await second.shows("Again?");
  const { cell: next } = await listed();
  second.enter("Zoë");
  await second.shows("hello Zoë");
  expect((await api(`${at}/answer`, { cell: next, text: "too late" })).status).toBe(409);
  expect(await second.exited).toBe(0);

  const third = new FreshTerminal([...granaryCommand, "attach", "talk"], { env: hub.env, columns: 90, rows: 40 });
  await third.shows("Python 3");
  third.enter("name = input('Console? '); print('hello', name)");
  await third.shows(/^Console\?/m);
  expect((await api(`${at}/answer`, { cell: (await listed()).cell, text: "Grace" })).status).toBe(204);
  await third.shows(/Console\? \(Another client has answered\.\)/);
  await third.shows("hello Grace");
  await third.close();
  await events?.cancel();
});
