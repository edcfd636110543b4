import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPython } from "../bare-python.mjs";
import { runCell, withKernel } from "../granary.mjs";
import { interleave } from "../measure.mjs";
import { timesTheFloor } from "../report.mjs";

/** @typedef {import("../setting.mjs").Setting} Setting */
/** @typedef {import("../../src/runtime/runtime.ts").Runtime} Runtime */

// Built, as users get it.
const { createRuntime } = /** @type {typeof import("../../src/runtime/runtime.ts")} */ (
  await import(new URL("../../dist/runtime/runtime.js", import.meta.url).href)
);

const many = 20;

/**
 * Sessions beside bare kernels and bare Pythons.
 * @param {Setting} setting
 */
export async function sessions(setting) {
  const folder = mkdtempSync(join(tmpdir(), "granary-bench-sessions-"));
  try {
    const memory = process.platform === "linux" ? await idleSessions(setting, folder) : [];
    return [await cellInSession(setting, folder), ...(await cellsWithCheckpoints(setting, folder)), ...memory];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The session adds the queue, the captured output, the ledger and the log of the execution.
 * @param {Setting} setting
 * @param {string} folder
 */
async function cellInSession(setting, folder) {
  const runtime = await open(setting, folder, false, "off");
  const session = runtime.session();
  const samples = await withKernel(setting, (kernel) =>
    interleave(
      { floor: () => runCell(kernel, "print(1)").then(() => {}), ours: () => runIn(session) },
      // Node compiles what runs often, for a while.
      { rounds: setting.quick ? 2000 : 10_000, warmUp: 2000 },
    ),
  );
  await runtime.close();
  return timesTheFloor({ what: "`print(1)` through a session, beside a kernel's cell", ...samples, atMost: 1.6 });
}

/**
 * The same cell with checkpoints, beside a session without: as an agent or a user runs cells, and as a program does in a loop.
 * @param {Setting} setting
 * @param {string} folder
 */
async function cellsWithCheckpoints(setting, folder) {
  const rows = [];
  for (const { what, rounds, warmUp, atMost } of [
    { what: "100 cells with checkpoints, beside a session without", rounds: 100, warmUp: 20, atMost: undefined },
    { what: "thousands of cells in a loop, beside a session without", rounds: 3000, warmUp: 1000, atMost: 1.3 },
  ]) {
    const [without, auto] = await Promise.all([
      open(setting, folder, false, "off"),
      open(setting, folder, false, "auto"),
    ]);
    const sessions = { floor: without.session(), ours: auto.session() };
    const samples = await interleave(
      { floor: () => runIn(sessions.floor), ours: () => runIn(sessions.ours) },
      { rounds, warmUp },
    );
    await Promise.all([without.close(), auto.close()]);
    rows.push(timesTheFloor({ what, ...samples, atMost }));
  }
  return rows;
}

/** @param {ReturnType<Runtime["session"]>} session */
async function runIn(session) {
  const { status } = await session.run("print(1)").result;
  if (status !== "ok") throw new Error(`the cell ended with ${status}`);
}

/**
 * Together with the warm Python and its spare kernel, where there is one.
 * @param {Setting} setting
 * @param {string} folder
 * @returns {Promise<import("../report.mjs").Row[]>}
 */
async function idleSessions(setting, folder) {
  const rows = [];
  for (const [warm, atMost] of /** @type {const} */ ([
    [false, 1.3],
    ["auto", 0.5],
  ])) {
    const floor = await bareMemory(setting);
    const runtime = await open(setting, folder, warm);
    if (warm) await untilForked(runtime);
    for (let count = 0; count < many; count++) {
      await runIn(runtime.session(`idle-${count}`));
      await new Promise((resolve) => setTimeout(resolve, 50)); // until there is a spare again
    }
    const ours = total(runners());
    await runtime.close();
    const ratio = ours / floor;
    rows.push({
      what: `${many} idle sessions, ${warm ? "forked" : "spawned"}, PSS`,
      floor: `${floor.toFixed(0)} MB`,
      ours: `${ours.toFixed(0)} MB`,
      measured: `${ratio.toFixed(2)} ×`,
      target: `≤ ${atMost} ×`,
      met: ratio <= atMost,
      peer: "",
    });
  }
  return rows;
}

/** @param {Setting} setting */
async function bareMemory(setting) {
  const pythons = Array.from({ length: many }, () => startPython(setting, 'print("ready", flush=True); input()'));
  await Promise.all(pythons.map(({ stdout }) => new Promise((resolve) => stdout.once("data", resolve))));
  const megabytes = total(pythons.map(({ pid }) => pid));
  for (const { stdin } of pythons) stdin.write("\n");
  await Promise.all(pythons.map((python) => python.end()));
  return megabytes;
}

/** The first sessions have spawned kernels, which end here. @param {Runtime} runtime */
async function untilForked(runtime) {
  for (let count = 0; ; count++) {
    if (count === 200) throw new Error("no kernel was forked");
    const session = runtime.session(`first-${count}`);
    const { output } = await session.run("import os; print(os.getppid())").result;
    await session[Symbol.asyncDispose]();
    if (Number(output) !== process.pid) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * @param {Setting} setting
 * @param {string} folder
 * @param {false | "auto"} warm
 * @param {"off" | "auto"} [checkpoints]
 */
function open({ python, env }, folder, warm, checkpoints = "auto") {
  return createRuntime({
    cwd: folder,
    env: { ...env, GRANARY_HOME: join(folder, "home") },
    settings: { python: { interpreter: python, warm, checkpoints, maxSessions: 100 } },
  });
}

/** All runners of this process: its children, and theirs. */
function runners() {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const children = (/** @type {number} */ parent) => all.map(Number).filter((pid) => parentOf(pid) === parent);
  const family = children(process.pid).flatMap((pid) => [pid, ...children(pid)]);
  return family.filter((pid) => read(pid, "cmdline").includes("granary_runner"));
}

/** @param {number} pid */
function parentOf(pid) {
  return Number(/^PPid:\s+(\d+)/m.exec(read(pid, "status"))?.[1]);
}

/** @param {readonly number[]} pids */
function total(pids) {
  const pss = (/** @type {number} */ pid) => Number(/^Pss:\s+(\d+)/m.exec(read(pid, "smaps_rollup"))?.[1]) / 1000;
  return pids.map(pss).reduce((sum, each) => sum + each, 0);
}

/** @param {number} pid @param {string} file */
function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return ""; // it has ended
  }
}
