import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { newestPython, oldestPython } from "../environment/pythons.ts";
import { whyNotTested } from "../sandbox/world.ts";
import { agentHere } from "./agent.ts";
import { TestHub } from "./test-hub.ts";

/** One client process starts its server again and again. */
const hub = new TestHub();
afterAll(() => hub[Symbol.asyncDispose]());

const hasSandbox = whyNotTested("bwrap") === null || whyNotTested("landlock") === null;
const outside = mkdtempSync(join(tmpdir(), "granary-outside-"));
const named = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);

test("a server that is started again with --read-only has no tool that writes, also beside the first", async () => {
  await using first = await agentHere(hub);
  await first.python("x = 1");
  await using second = await agentHere(hub, { args: ["--read-only"] });
  expect(named((await second.client.listTools()).tools)).not.toContain("write");
  expect(named((await first.client.listTools()).tools)).toContain("write");
});

test("a server that is started again with --root reads nothing outside of it", async () => {
  const secret = join(outside, "secret.txt");
  writeFileSync(secret, "a secret");
  await using first = await agentHere(hub);
  expect(await first.call("read", { path: secret })).toContain("a secret");
  await using second = await agentHere(hub, { args: ["--root", hub.folder] });
  expect(await second.call("read", { path: secret })).not.toContain("a secret");
});

test("a server that is started again with another Python has it, in a session of its own", async () => {
  const which = "import platform; print(platform.python_version())";
  await using first = await agentHere(hub, { args: ["--python", newestPython().path] });
  expect(await first.python(which)).toContain(newestPython().version);
  await using second = await agentHere(hub, { args: ["--python", oldestPython().path] });
  const answer = await second.python(which);
  expect(answer).toContain(oldestPython().version);
  expect(answer).toContain("This server has other options than before, so its session is a new one");
  expect(await first.python(which)).toContain(newestPython().version);
});

test.skipIf(!hasSandbox)(
  "tools show cells in a sandbox no session without one, and none of another folder",
  async () => {
    const other = mkdtempSync(join(hub.folder, "..", "other-"));
    const limits = ["--sandbox"];
    await hub.granary(["run", "--session", "private", "-c", "key = 's3cr3t'; print('s3cr3t')"]);
    await hub.granary(["run", "--session", "beside", "--sandbox", "--cwd", other, "-c", "key = 's3cr3t'"]);
    const { stdout } = await hub.granary([
      "run",
      "--session",
      "private",
      "--background",
      "-c",
      "import time; time.sleep(60)",
    ]);
    const [id = ""] = stdout.match(/run-\d+/) ?? [];
    await using limited = await agentHere(hub, { args: limits });
    const seen = [
      await limited.call("variables", { session: "private" }),
      await limited.call("variables", { session: "beside", cwd: other }),
      await limited.call("executions", { action: "poll", id: `run-${Number(id.slice(4)) - 2}` }),
      await limited.call("executions", { action: "interrupt", id }),
      await limited.call("executions", { action: "list" }),
      await limited.call("kernels", { action: "list" }),
      await limited.python(`print(tool.variables(session="private"))`),
    ].join("\n");
    expect(seen).not.toMatch(/s3cr3t|time\.sleep|private \(|still alive/);
    expect((await hub.granary(["ps", "--json"])).stdout).toContain("time.sleep(60)");
    await hub.granary(["sessions", "stop", "private", "--force"]);
    // Its own are there.
    await limited.python("mine = 5");
    expect(await limited.call("variables", {})).toContain("mine");
    const command = await limited.call("bash", { command: "sleep 30", timeout: 1 });
    const [work = ""] = command.match(/run-\d+/) ?? [];
    expect(await limited.call("executions", { action: "interrupt", id: work })).not.toContain("There is no");
  },
);

test.skipIf(!hasSandbox)("granary mcp --sandbox limits cells and commands in the hub", async () => {
  await using free = await agentHere(hub);
  await free.python("x = 1");
  await using limited = await agentHere(hub, { args: ["--sandbox"] });
  await limited.python(`open(${JSON.stringify(join(outside, "by-python"))}, "w")`);
  await limited.call("bash", { command: `touch ${join(outside, "by-bash")}` });
  expect(existsSync(join(outside, "by-python")) || existsSync(join(outside, "by-bash"))).toBe(false);
  expect(await limited.python("1 + 1")).toContain("2");
});
