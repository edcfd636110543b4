import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** @typedef {import("../src/kernel/kernel.ts").Kernel} Kernel */
/** @typedef {import("./setting.mjs").Setting} Setting */

// Built, as users get it.
const { createRunnerBackend } = /** @type {typeof import("../src/kernel/runner/runner-backend.ts")} */ (
  await import(new URL("../dist/kernel/runner/runner-backend.js", import.meta.url).href)
);
const backend = createRunnerBackend();

const cwd = mkdtempSync(join(tmpdir(), "granary-bench-"));
process.once("exit", () => rmSync(cwd, { recursive: true, force: true }));

/**
 * @param {Pick<Setting, "python" | "env"> & { readonly cwd?: string, readonly launcher?: readonly string[] }} setting
 * @returns {Promise<Kernel>}
 */
export function startKernel({ python, env, cwd: chosen = cwd, launcher }) {
  return backend.start({ interpreter: python, cwd: chosen, env, ...(launcher && { launcher }) });
}

/**
 * @template T
 * @param {Pick<Setting, "python" | "env">} setting
 * @param {(kernel: Kernel) => Promise<T>} use
 */
export async function withKernel(setting, use) {
  const kernel = await startKernel(setting);
  try {
    return await use(kernel);
  } finally {
    await kernel.close();
  }
}

/**
 * Runs a cell and reads all its events, as a user would.
 * @param {Kernel} kernel
 * @param {string} code
 */
export async function runCell(kernel, code) {
  let characters = 0;
  for await (const event of kernel.execute(code)) {
    if (event.type === "stream") characters += event.text.length;
    if (event.type === "error") throw new Error(event.traceback.join("\n"));
  }
  return characters;
}

/**
 * Kernels that are forked, from an interpreter that has imported these modules; each start is checked to be a fork.
 * @param {Pick<Setting, "python" | "env">} setting
 * @param {readonly string[]} modules
 */
export async function openWarm({ python, env }, modules) {
  const { WarmInterpreters } = /** @type {typeof import("../src/kernel/runner/warm/warm-interpreters.ts")} */ (
    await import(new URL("../dist/kernel/runner/warm/warm-interpreters.js", import.meta.url).href)
  );
  const warm = new WarmInterpreters({
    firstDelayMs: 0,
    limits: { seconds: 60, megabytes: 1000, atMostSeconds: 60 },
    preloading: { wanted: async () => modules, refused: (_, { module, why }) => console.error(`${module}: ${why}`) },
  });
  const backend = createRunnerBackend({ warm });
  /** @type {string[]} */
  let stages = [];
  const start = async () => {
    stages = [];
    return backend.start({ interpreter: python, cwd, env, onStage: (stage) => stages.push(stage) });
  };
  await (await start()).close();
  await warm.settled();
  return {
    async start() {
      const kernel = await start();
      if (!stages.includes("process forked")) throw new Error("This kernel was not forked.");
      return kernel;
    },
    close: () => warm.close(),
  };
}
