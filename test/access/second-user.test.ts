import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { toolsFor } from "../bridge/host-tools.ts";
import { ChaosHost } from "../chaos/host-process.ts";
import type { Settled } from "../chaos/log.ts";
import { settingsOf, type WorldName } from "../chaos/worlds.ts";
import { environment, newestPython } from "../environment/pythons.ts";
import { isLong } from "../environment/variants.ts";
import { HttpGranary } from "../hosts/mcp/granary-mcp.ts";
import { TestHub } from "../hub/test-hub.ts";
import { runtimeIn } from "../runtime/runtimes.ts";

/** The user nobody, who is on every system. */
const nobody = 65534;
const isRoot = process.getuid?.() === 0 && process.platform === "linux";

/** A folder that others can enter, so that only Granary's own permissions keep them out. */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync("/tmp/granary-access-");
  chmodSync(folder, 0o755);
  copyFileSync(inRepository("test/access/second-user.py"), join(folder, "second-user.py"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

function asNobody(...places: readonly string[]): Promise<readonly string[]> {
  return secondUser(places, "");
}

/** What another user learns about a server with this secret. */
function aboutServer(port: string, secret: string): Promise<readonly string[]> {
  return secondUser(["--server", port], secret);
}

/** Asynchronously, because a server may be in this process. */
async function secondUser(args: readonly string[], input: string): Promise<readonly string[]> {
  const all = ["python3", join(folder, "second-user.py"), ...args];
  const user = spawn("/usr/bin/env", all, { uid: nobody, gid: nobody, stdio: ["pipe", "pipe", "inherit"] });
  user.stdin.end(input);
  const exited = once(user, "exit");
  const found = await text(user.stdout);
  expect(await exited).toEqual([0, null]);
  return found.split("\n").filter((line) => line !== "");
}

test.skipIf(!isRoot)("the second user finds what is open to all", async () => {
  const open = join(folder, "open");
  mkdirSync(open);
  chmodSync(open, 0o777);
  writeFileSync(join(open, "file"), "x");
  expect(await asNobody(open)).toEqual([`make ${open}`, `read ${join(open, "file")}`]);
});

test.skipIf(!isRoot)(
  "another user finds neither the token of `granary mcp --http` nor a way in without it",
  async () => {
    const place = mkdtempSync(join(folder, "mcp-"));
    const server = await HttpGranary.start({ cwd: place, env: { GRANARY_HOME: join(place, "home") } });
    try {
      const client = await server.connect({ revision: "2025-11-25" });
      await client.close();
      const [, token = ""] = /Bearer ([\w-]+)"/.exec(server.stderr) ?? [];
      expect(token.length).toBeGreaterThan(20);
      expect(await aboutServer(new URL(server.url).port, token)).toEqual([]);
      // The second user does see arguments: the path of the program is in those of the server.
      expect(await aboutServer(new URL(server.url).port, "bin/granary")).toContain("secret cmdline");
      chmodSync(place, 0o755);
      expect(await asNobody(place)).toEqual([]);
    } finally {
      await server[Symbol.asyncDispose]();
    }
  },
);

test.skipIf(!isRoot)(
  "another user finds neither the codes and tokens of the page and of Jupyter, nor a way in",
  async () => {
    await using hub = new TestHub();
    const browser = join(hub.folder, "browser");
    writeFileSync(browser, `#!/bin/sh\ncat "$1" "\${1#file://}" > ${hub.folder}/opened 2>/dev/null\nsleep 20\n`, {
      mode: 0o755,
    });
    await hub.granary(["page"], { env: { BROWSER: browser } });
    const jupyter = new URL((await hub.granary(["hub", "jupyter"])).stdout);
    const secrets = [jupyter.searchParams.get("token") ?? "", "#code=", hub.record.token];
    for (const secret of secrets) expect(await aboutServer(jupyter.port, secret)).toEqual([]);
  },
);

/** The bridge is loopback HTTP, for kernels whose own wire carries no calls of the host's tools. */
test.skipIf(!isRoot || "missing" in environment("main"))(
  "another user finds neither the token of the bridge, in the kernel or in the host, nor a way to call a tool",
  async () => {
    const main = environment("main");
    const place = mkdtempSync(join(folder, "bridge-"));
    await using runtime = await runtimeIn(place, {
      ...{ backend: "zmq", interpreter: "missing" in main ? "" : main.python, startSeconds: 60 },
    });
    let calls = 0;
    runtime.serveTools(toolsFor({ read: async () => ({ text: `call ${++calls}` }) }));
    const cell = `import os, subprocess, granary_prelude.bridge
child = subprocess.Popen(["sleep", "61.375"])
print(os.environ["PI_TOOL_BRIDGE_URL"], granary_prelude.bridge.token(), tool.read(path="a"))`;
    const { output } = await runtime.session("agent").run(cell).result;
    const [url = "", token = ""] = output.split(" ");
    expect(output).toMatch(/^http:\S+ granary-bridge-\S+ call 1\n$/);
    // The second user sees this server, and would find a secret in the arguments of the kernel's child.
    expect(await aboutServer(new URL(url).port, "61.375")).toContain("secret cmdline");
    expect(await aboutServer(new URL(url).port, token)).toEqual([]);
    chmodSync(place, 0o755);
    expect(await asNobody(join(place, "home"))).toEqual([]);
    expect(calls).toBe(1);
  },
);

const worlds: readonly WorldName[] = isLong ? ["warm", "checkpoints", "hub", "zmq", "gateway"] : ["checkpoints", "hub"];

test.skipIf(!isRoot).each(worlds)("another user can neither read, write nor connect to anything: %s", async (world) => {
  const place = mkdtempSync(join(folder, "world-"));
  chmodSync(place, 0o755);
  const [home, tmp] = [join(place, "home"), join(place, "tmp")];
  mkdirSync(tmp);
  chmodSync(tmp, 0o1777);
  const main = environment("main");
  const python = world === "zmq" || world === "gateway" ? ("missing" in main ? "" : main.python) : newestPython().path;
  const env = { PATH: `${join(python, "..")}:/usr/bin:/bin`, HOME: place, TMPDIR: tmp, GRANARY_HOME: home };
  const settled: Settled[] = [];
  const host = new ChaosHost(
    world,
    place,
    { ...env, GRANARY_HUB: "auto" },
    {
      settled: (one) => settled.push(one),
      moved: () => {},
      began: () => {},
    },
  );
  try {
    await host.order("open", { settings: settingsOf(world, 4) });
    const cells = ["a", "b", "a", "b"];
    for (const [index, session] of cells.entries()) {
      const code = `import time\nprint("x" * 100_000)\n${index === 3 ? "time.sleep(600)" : ""}`;
      await host.order("run", { id: `c${index}`, session, code, timeoutMs: null, reader: "quick" });
    }
    while (settled.length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(settled.map(({ status }) => status)).toEqual(["ok", "ok", "ok"]);
    const there = readdirSync(place, { recursive: true, encoding: "utf8" });
    // There is something to find: at least artifacts, and what the kernels connect through.
    expect(there.filter((name) => /\.(txt|sock|json|sh)$|\/s$|socket-/.test(name)).length).toBeGreaterThan(1);
    expect((await asNobody(home, tmp)).filter((line) => line !== `make ${tmp}`)).toEqual([]);
  } finally {
    host.kill();
    execFileSync(process.execPath, [inRepository("bin/granary"), "hub", "stop", "--force"], {
      env,
      cwd: place,
      stdio: "ignore",
    });
    execFileSync(process.execPath, [inRepository("bin/granary"), "gateway", "stop"], {
      env,
      cwd: place,
      stdio: "ignore",
    });
  }
});
