import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { nodeEnvironment } from "../../environment/nodes.ts";
import { environment } from "../../environment/pythons.ts";
import { py } from "../../kernel/py.ts";
import { openDoor } from "./open-door.ts";

const run = promisify(execFile);
const packages = nodeEnvironment("jupyterlab");
const main = environment("main");
const python = "python" in main ? main.python : "";
const withComms = { PATH: `${dirname(python)}:/usr/bin:/bin`, VIRTUAL_ENV: dirname(dirname(python)) };
const script = fileURLToPath(new URL("services-user.mjs", import.meta.url));

const makesComm = py`
  import comm
  def doubled(message):
      opened.send({"doubled": message["content"]["data"]["n"] * 2}, buffers=[bytes(message["buffers"][0])[::-1]])
  opened = comm.create_comm("mine", {"n": 1})
  opened.on_msg(doubled)
`;

test.skipIf("missing" in packages || "missing" in main)(
  "JupyterLab's own library lists, connects, runs, interrupts, restarts, renames, shuts down, and has comms",
  async () => {
    const door = await openDoor({ env: { ...process.env, ...withComms } });
    await door.runtime.session("agent").run("x = 41").result;
    const { folder } = packages as { folder: string };
    const address = `http://127.0.0.1:${door.port}/`;
    const { stdout } = await run(process.execPath, [script, folder, address, door.token, makesComm]);
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
      comm: { begun: { n: 1 }, doubled: 40, bytes: [3, 2, 1] },
      comms: [{ target_name: "mine" }],
      restarted: { status: "ok", outputs: ["False"] },
      path: "renamed.ipynb",
      left: 1,
    });
    expect((await door.runtime.session("agent").run("x").result).output).toBe("41\n");
  },
);
