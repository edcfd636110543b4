import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inRepository } from "../../scripts/repository.mjs";
import { runProgram } from "../bare-python.mjs";
import { runCell, startKernel } from "../granary.mjs";
import { interleave } from "../measure.mjs";
import { onOneCore } from "../one-core.mjs";
import { timesTheFloor } from "../report.mjs";

/** @typedef {import("../setting.mjs").Setting} Setting */
/** @typedef {import("../../src/sandbox/sandbox.ts").Sandbox} Sandbox */

const names = { bwrap: "bubblewrap", landlock: "Landlock" };

/** @param {Setting} setting */
export async function sandbox(setting) {
  const { openSandbox } = /** @type {typeof import("../../src/sandbox/sandbox.ts")} */ (
    await import(new URL("../../dist/sandbox/sandbox.js", import.meta.url).href)
  );
  const { chooseEngine } = /** @type {typeof import("../../src/sandbox/engine.ts")} */ (
    await import(new URL("../../dist/sandbox/engine.js", import.meta.url).href)
  );
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "granary-bench-sandbox-")));
  const rows = [];
  try {
    for (const engine of /** @type {const} */ (["bwrap", "landlock"])) {
      const found = await chooseEngine({ mode: "workspace", engine, cwd: folder, env: setting.env });
      if (found.name === null) {
        console.error(`without ${names[engine]}: ${found.reason}`);
        continue;
      }
      const prefix = dirname(dirname(realpathSync(setting.python)));
      const show = [inRepository("python"), dirname(dirname(setting.python)), prefix];
      const wish = { mode: /** @type {const} */ ("workspace"), network: /** @type {const} */ ("off"), cwd: folder };
      const opened = openSandbox(
        { ...wish, write: [], show, userHome: homedir(), granaryHome: join(folder, "home") },
        found,
      );
      try {
        rows.push(...(await compare(setting, engine, opened, folder)));
      } finally {
        opened.close();
      }
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {Setting} setting
 * @param {"bwrap" | "landlock"} engine
 * @param {Sandbox} opened
 * @param {string} cwd
 */
async function compare(setting, engine, opened, cwd) {
  const { quick, env } = setting;
  const inside = { ...setting, env: { ...env, ...opened.env }, cwd };
  const starts = await interleave(
    {
      without: () => startAndCompute(() => ({ ...setting, cwd })),
      // Each launcher is of a new plan, which is a part of the start.
      within: () => startAndCompute(() => ({ ...inside, launcher: opened.launcher })),
    },
    { rounds: quick ? 15 : 60, warmUp: 3 },
  );
  const compareCells = async () => {
    const plain = await startKernel({ ...setting, cwd });
    const limited = await startKernel({ ...inside, launcher: opened.launcher });
    const measured = await interleave(
      { without: () => timed(() => runCell(plain, "1+1")), within: () => timed(() => runCell(limited, "1+1")) },
      { rounds: quick ? 300 : 2000, warmUp: 100 },
    );
    await Promise.all([plain.close(), limited.close()]);
    return measured;
  };
  // Which core a kernel got would make more of a difference than the sandbox.
  const cells = (await onOneCore(compareCells)) ?? (await compareCells());
  const commands = await interleave(
    {
      without: () => granaryRun(setting, cwd, undefined),
      within: () => granaryRun(setting, cwd, engine),
    },
    { rounds: quick ? 7 : 30, warmUp: 2 },
  );
  const name = names[engine];
  return [
    timesTheFloor({
      what: `start to the first result in ${name}`,
      floor: starts.without,
      ours: starts.within,
      atMost: 1.5,
    }),
    timesTheFloor({ what: `\`1+1\` in ${name}`, floor: cells.without, ours: cells.within, atMost: 1.1 }),
    timesTheFloor({
      what: `\`granary run --sandbox\`, whole process, ${name}`,
      floor: commands.without,
      ours: commands.within,
      atMost: 1.5,
    }),
  ];
}

/** @param {() => Parameters<typeof startKernel>[0]} choose */
async function startAndCompute(choose) {
  const begun = performance.now();
  const kernel = await startKernel(choose());
  await runCell(kernel, "1+1");
  const milliseconds = performance.now() - begun;
  await kernel.close();
  return milliseconds;
}

/** @param {() => Promise<unknown>} action */
async function timed(action) {
  const begun = performance.now();
  await action();
  return performance.now() - begun;
}

/**
 * @param {Setting} setting
 * @param {string} cwd
 * @param {string | undefined} engine none without a sandbox
 */
function granaryRun({ python, env }, cwd, engine) {
  const around = {
    ...env,
    PATH: `${dirname(python)}:${env.PATH}`,
    GRANARY_HOME: join(cwd, "home"),
    GRANARY_HUB: "never",
  };
  const options = engine === undefined ? [] : ["--sandbox"];
  return runProgram(process.execPath, [inRepository("bin/granary"), "run", ...options, "-c", "print(1)"], {
    env: engine === undefined ? around : { ...around, GRANARY_PYTHON_SANDBOX_ENGINE: engine },
    cwd,
  });
}
