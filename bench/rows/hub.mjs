import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inRepository } from "../../scripts/repository.mjs";
import { runProgram } from "../bare-python.mjs";
import { interleave, median } from "../measure.mjs";
import { showTimes, timesTheFloor } from "../report.mjs";

const prints = "for i in range(1000): print('x' * 99999)";

/** @param {import("../setting.mjs").Setting} setting */
export async function hub({ python, env, quick }) {
  const home = mkdtempSync(join(tmpdir(), "granary-bench-hub-"));
  const chosen = {
    ...env,
    PATH: `${dirname(python)}:${env.PATH}`,
    VIRTUAL_ENV: dirname(dirname(python)),
    GRANARY_HOME: home,
    GRANARY_HUB: "auto",
  };
  /** @param {string[]} args */
  const granary = (...args) => runProgram(process.execPath, [inRepository("bin/granary"), ...args], { env: chosen });
  const rounds = quick ? 10 : 50;
  try {
    const first = await interleave(
      {
        node: () => runProgram(process.execPath, ["-e", "0"], { env }),
        ours: () => granary("run", "--session", "bench", "-c", "1"),
        // For the next round; its time is not used.
        stop: () => granary("hub", "stop"),
      },
      { rounds: quick ? 3 : 10, warmUp: 1 },
    );
    await granary("run", "--session", "bench", "-c", "1");
    const warm = await interleave(
      {
        node: () => runProgram(process.execPath, ["-e", "0"], { env }),
        direct: () => granary("run", "-c", "1"),
        ours: () => granary("run", "--session", "bench", "-c", "1"),
      },
      { rounds, warmUp: 2 },
    );
    const printing = await interleave(
      { direct: () => granary("run", "-c", prints), ours: () => granary("run", "--session", "bench", "-c", prints) },
      { rounds: quick ? 3 : 10, warmUp: 1 },
    );
    const trips = await roundTrips({ home, env: chosen, rounds: quick ? 50 : 300 });
    const connects = median(trips.connect);
    const mostMs = 1.15 * median(warm.node) + connects;
    return [
      timesTheFloor({
        what: "a cell as a tool call through the hub, beside the same tool in the host's process",
        floor: trips.direct,
        ours: trips.hub,
        atMost: 2,
      }),
      {
        what: "`granary run --session` on a warm hub, whole process, beside `node -e 0`",
        floor: showTimes(warm.node),
        ours: showTimes(warm.ours),
        measured: `${(median(warm.ours) / median(warm.node)).toFixed(2)} ×`,
        target: `≤ 1.15 × and ${connects.toFixed(1)} ms to connect and run`,
        met: median(warm.ours) <= mostMs,
        peer: "",
      },
      timesTheFloor({
        what: "the same beside `granary run` without the hub",
        floor: warm.direct,
        ours: warm.ours,
        atMost: 1,
      }),
      timesTheFloor({
        what: "first cell with the start of the hub, whole process, beside `node -e 0`",
        floor: first.node,
        ours: first.ours,
        atMost: 6,
      }),
      timesTheFloor({
        what: "100 MB of prints through the hub, whole process, beside `granary run` without it",
        floor: printing.direct,
        ours: printing.ours,
        atMost: 1.67,
      }),
    ];
  } finally {
    await granary("hub", "stop", "--force");
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * The tool `python` in this process and through the hub; and a connection that runs one cell, as `granary run --session` opens it.
 * @param {{ home: string, env: Record<string, string>, rounds: number }} options
 */
async function roundTrips({ home, env, rounds }) {
  /** @param {string} name */
  const built = (name) => import(new URL(`../../dist/${name}.js`, import.meta.url).href);
  const { createRuntime } = /** @type {typeof import("../../src/runtime/runtime.ts")} */ (
    await built("runtime/runtime")
  );
  const { createToolbox } = /** @type {typeof import("../../src/tools/toolbox.ts")} */ (await built("tools/toolbox"));
  const { openHubToolbox } = /** @type {typeof import("../../src/hub/client/hub-toolbox.ts")} */ (
    await built("hub/client/hub-toolbox")
  );
  const { connectHub } = /** @type {typeof import("../../src/hub/client/connect-hub.ts")} */ (
    await built("hub/client/connect-hub")
  );
  const { ownVersion } = /** @type {typeof import("../../src/support/files/own-version.ts")} */ (
    await built("support/files/own-version")
  );
  const cwd = mkdtempSync(join(tmpdir(), "granary-bench-folder-"));
  const version = await ownVersion();
  const runtime = await createRuntime({ cwd, env });
  const direct = await createToolbox({ runtime, session: "direct" });
  const wish = { key: "bench", session: "hub", label: "bench", client: null, cwd, env, resultBytes: null };
  const through = await openHubToolbox(wish, { home, env, version });
  /** @param {Pick<typeof direct, "find">} toolbox */
  const cell = async (toolbox) => {
    const result = await toolbox.find("python")?.run({ cells: [{ code: "1 + 1" }] });
    if (result === undefined || result.isError) throw new Error("The cell failed.");
  };
  const args = {
    source: { type: "code", cells: ["1"] },
    timeoutMs: null,
    json: false,
    session: "bench",
    background: false,
  };
  const run = { args: { ...args, reset: false, extraEnv: {} }, cwd: process.cwd(), env, terminals: [], answers: false };
  try {
    return await interleave(
      {
        direct: () => cell(direct),
        hub: () => cell(through),
        connect: async () => {
          const peer = await connectHub({ home, env, version, name: "bench" });
          await peer?.request("run", run);
          peer?.close();
        },
      },
      { rounds, warmUp: 20 },
    );
  } finally {
    await through.close();
    await direct.close();
    await runtime.close();
    rmSync(cwd, { recursive: true, force: true });
  }
}
