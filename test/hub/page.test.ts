import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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
  expect(missing).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("granary page --no-open") });
});

test("granary page without the hub is wrong usage", async () => {
  await using hub = new TestHub();
  const { stderr, exitCode } = await hub.granary(["page"], { env: { GRANARY_HUB: "never" } });
  expect(exitCode).toBe(2);
  expect(stderr).toContain("GRANARY_HUB is never");
});
