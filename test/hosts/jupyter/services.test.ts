import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { nodeEnvironment } from "../../environment/nodes.ts";
import { openDoor } from "./open-door.ts";

const run = promisify(execFile);
const packages = nodeEnvironment("jupyterlab");
const script = fileURLToPath(new URL("services-user.mjs", import.meta.url));

test.skipIf("missing" in packages)(
  "JupyterLab's own library lists, connects, runs, interrupts, restarts, renames and shuts down",
  async () => {
    const door = await openDoor();
    await door.runtime.session("agent").run("x = 41").result;
    const { folder } = packages as { folder: string };
    const { stdout } = await run(process.execPath, [script, folder, `http://127.0.0.1:${door.port}/`, door.token]);
    // The library itself prints about its connections.
    expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toEqual({
      spec: "python3",
      listed: ["agent"],
      agent: { status: "ok", outputs: ["42"] },
      completed: ["import"],
      info: "python",
      first: { status: "ok", outputs: ["hello\n", "1"] },
      interrupted: { status: "error", ename: "KeyboardInterrupt", outputs: ["begun\n"] },
      kept: { status: "ok", outputs: ["1"] },
      restarted: { status: "ok", outputs: ["False"] },
      path: "renamed.ipynb",
      left: 1,
    });
    expect((await door.runtime.session("agent").run("x").result).output).toBe("41\n");
  },
);
