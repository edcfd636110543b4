import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { oldestPython } from "../environment/pythons.ts";
import { agentHere } from "./agent.ts";
import { TestHub } from "./test-hub.ts";

const hub = new TestHub();
afterAll(() => hub[Symbol.asyncDispose]());

const python = oldestPython().path;

/** A cloned repository below the hub's folder, whose module and interpreter leave a mark each time they run. */
function cloned(name: string, settings: Readonly<Record<string, unknown>> = {}) {
  const folder = join(hub.folder, name);
  const marks = join(hub.folder, `${name}-ran`);
  mkdirSync(join(folder, ".git"), { recursive: true });
  mkdirSync(join(folder, ".granary/modules"), { recursive: true });
  writeFileSync(join(folder, ".granary/modules/m.py"), `open(${JSON.stringify(marks)}, "a").write("module ")`);
  const interpreter = `#!/bin/sh\nprintf 'program ' >> '${marks}'\nexec ${python} "$@"\n`;
  writeFileSync(join(folder, "python"), interpreter, { mode: 0o755 });
  const all = { "python.warm": false, "python.checkpoints": "off", ...settings };
  writeFileSync(join(folder, ".granary/settings.json"), JSON.stringify(all));
  return {
    folder,
    run: (...args: string[]) => hub.granary(["run", "--session", "s", "--cwd", folder, ...args]),
    /** What has run since the last call. */
    ran: () => {
      const text = readMarks(marks);
      rmSync(marks, { force: true });
      return [...new Set(text.split(" ").filter((mark) => mark !== ""))].sort();
    },
  };
}

function readMarks(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

test("an agent of the folder above restarts no session with programs that another client allowed", async () => {
  const clone = cloned("above", { "python.interpreter": "./python", "python.allowEnv": ["MINE"] });
  await using agent = await agentHere(hub, { env: { ...hub.env, MINE: "mine" } });
  const call = (code: string, options = {}) =>
    agent.call("python", { cells: [{ code }], session: "s", cwd: clone.folder, ...options });

  await clone.run("--trust", "-c", "x = 1");
  expect(clone.ran()).toEqual(["module", "program"]);
  expect(await call("x", { reset: true })).toContain(
    "The session s of this folder runs what the settings of this folder name, and you have not trusted it.",
  );
  // The refused reset has cost nothing.
  expect((await clone.run("--trust", "-c", "print(x)")).stdout).toContain("1");
  await call("import os; os._exit(1)");
  const own = await call("import os; print(os.environ.get('MINE'))");
  expect(own).toContain("None");
  expect(own).toContain(
    ".granary/modules/m.py; python.interpreter, python.allowEnv of .granary/settings.json. If you know",
  );
  expect(clone.ran()).toEqual([]);
});

test("a session whose Python has ended starts without programs that only another client allowed", async () => {
  const clone = cloned("ended", { "python.interpreter": "./python" });
  await using agent = await agentHere(hub);
  await clone.run("--trust", "-c", "import os; os._exit(0)");
  expect(clone.ran()).toEqual(["module", "program"]);
  const said = await agent.call("python", { cells: [{ code: "6 * 7" }], session: "s", cwd: clone.folder });
  expect(said).toMatch(/^42\n/);
  expect(said).toContain(".granary/modules/m.py; python.interpreter of .granary/settings.json. If you know");
  expect(clone.ran()).toEqual([]);
});

test("a client that joins a session restarts it without modules that only another client allowed", async () => {
  const clone = cloned("modules");
  await clone.run("--trust", "--python", python, "-c", "x = 1");
  expect(clone.ran()).toEqual(["module"]);
  expect(await clone.run("-c", "x")).toMatchObject({ stdout: "1\n", stderr: "" });
  const restarted = await clone.run("--reset", "-c", "import os; os.getpid() > 0");
  expect(restarted).toMatchObject({ stdout: "True\n", stderr: expect.stringContaining("Not used, because you have") });
  await clone.run("-c", "import os; os._exit(3)");
  expect(await clone.run("-c", "6 * 7")).toMatchObject({ stdout: "42\n" });
  expect(clone.ran()).toEqual([]);
  // The client that allowed them has them again, and so has everybody once the user trusts the folder.
  await clone.run("--trust", "--python", python, "--reset", "-c", "1");
  expect(clone.ran()).toEqual(["module"]);
  await hub.granary(["trust", "--yes", clone.folder]);
  await clone.run("--reset", "-c", "1");
  expect(clone.ran()).toEqual(["module"]);
});

test("the page restarts a session without modules that only its own client allowed", async () => {
  const clone = cloned("page");
  await clone.run("--trust", "-c", "x = 1");
  expect(clone.ran()).toEqual(["module"]);
  const { origin, hash } = new URL((await hub.granary(["page", "--no-open"])).stdout);
  const body = JSON.stringify({ code: hash.slice("#code=".length) });
  const exchanged = await fetch(`${origin}/page/api/token`, { method: "POST", body });
  const { token } = (await exchanged.json()) as { readonly token: string };
  const headers = { Authorization: `Bearer ${token}` };
  const { sessions } = (await (await fetch(`${origin}/page/api/sessions`, { headers })).json()) as {
    readonly sessions: readonly { readonly id: string; readonly folder: string }[];
  };
  const shown = sessions.find(({ folder }) => folder === clone.folder);
  const post = (what: string, request: object) =>
    fetch(`${origin}/page/api/sessions/${encodeURIComponent(shown?.id ?? "")}/${what}`, {
      method: "POST",
      headers,
      body: JSON.stringify(request),
    });
  expect((await post("reset", { force: true })).ok).toBe(true);
  expect((await post("run", { code: "y = 2" })).ok).toBe(true);
  expect(await clone.run("-c", "y")).toMatchObject({ stdout: "2\n" });
  expect(clone.ran()).toEqual([]);
});

test("a restart from a Jupyter client leaves out modules that only the session's own client allowed", async () => {
  const clone = cloned("door");
  await clone.run("--trust", "-c", "x = 1");
  expect(clone.ran()).toEqual(["module"]);
  const { origin, searchParams } = new URL((await hub.granary(["hub", "jupyter"])).stdout);
  const headers = { Authorization: `Bearer ${searchParams.get("token")}` };
  const kernels = (await (await fetch(`${origin}/api/kernels`, { headers })).json()) as { readonly id: string }[];
  const statuses = await Promise.all(
    kernels.map(({ id }) => fetch(`${origin}/api/kernels/${id}/restart`, { method: "POST", headers })),
  );
  expect(statuses.map(({ status }) => status)).toContain(200);
  expect((await clone.run("-c", "'x' in dir()")).stdout).toBe("False\n");
  expect(clone.ran()).toEqual([]);
});

test("granary trust --remove counts for the next start of Python, also for agents that are connected", async () => {
  const clone = cloned("removed", { "python.interpreter": "./python" });
  for (const use of ["auto", "never"]) {
    await hub.granary(["trust", "--yes", clone.folder]);
    await using agent = await agentHere({ folder: clone.folder, env: { ...hub.env, GRANARY_HUB: use } });
    await agent.python("1");
    expect(clone.ran()).toEqual(["module", "program"]);
    await hub.granary(["trust", "--remove", clone.folder]);
    const said = await agent.call("python", { cells: [{ code: "6 * 7" }], reset: true });
    expect(said).toContain(".granary/modules/m.py; python.interpreter of .granary/settings.json.");
    expect(clone.ran()).toEqual([]);
  }
});
