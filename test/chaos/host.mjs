// A host under attack. It takes orders as lines of JSON on standard input, and reports on standard output. Arguments: the world,
// a folder. It runs what is published, from dist/.
import { closeSync, openSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { inRepository } from "../../scripts/repository.mjs";

const [world, folder = ""] = process.argv.slice(2);
/** @type {(message: object) => void} */
const tell = (message) => void process.stdout.write(`${JSON.stringify(message)}\n`);
process.on("unhandledRejection", (/** @type {any} */ error) =>
  tell({ crashed: `unhandled: ${error?.stack ?? error}` }),
);
process.on("uncaughtException", (error) => tell({ crashed: `uncaught: ${error?.stack ?? error}` }));

const side = world === "hub" ? await hubSide() : await runtimeSide();
/** @type {number[]} */
let ballast = [];

/** @type {Record<string, (order: any) => unknown>} */
const orders = {
  ...side,
  takeFiles: () => {
    try {
      for (;;) ballast.push(openSync("/dev/null", "r"));
    } catch {}
  },
  freeFiles: () => {
    for (const file of ballast) closeSync(file);
    ballast = [];
  },
  count: () => ({ descriptors: readdirSync("/proc/self/fd").flatMap(target) }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  void Promise.resolve(orders[order.do]?.(order)).then(
    (answer) => tell({ to: order.order, answer: answer ?? null }),
    (error) => tell({ to: order.order, failed: String(error?.stack ?? error) }),
  );
}
await orders.close?.({});
process.exit();

/** @param {string} descriptor */
function target(descriptor) {
  try {
    const link = readlinkSync(`/proc/self/fd/${descriptor}`).replace(/\[\d+\]/, "");
    // After descriptors ran out once, libuv keeps one in reserve, open on the root folder.
    return link === "/" ? [] : [link];
  } catch {
    return []; // the one for the listing
  }
}

async function runtimeSide() {
  const { createRuntime } = await import(inRepository("dist/library/index.js"));
  /** @type {any} */
  let runtime = null;
  const session = (/** @type {string} */ name) => runtime.session(name);
  return {
    open: async (/** @type {any} */ { settings }) => {
      runtime = await createRuntime({
        cwd: folder,
        settings: { python: settings },
        artifactsFolder: join(folder, "disk/artifacts"),
        trust: true,
        stderr: { write: () => true },
      });
    },
    close: () => runtime?.close(),
    run: (/** @type {any} */ { id, session: name, code, timeoutMs, reader }) => {
      const onEvent = reader === "slow" ? () => sleep(1) : undefined;
      const execution = session(name).run(code, { timeoutMs: timeoutMs ?? undefined, onEvent });
      if (reader === "stuck") void execution[Symbol.asyncIterator]().next();
      void follow(id, execution);
    },
    interrupt: (/** @type {any} */ order) => session(order.session).interrupt(),
    reset: async (/** @type {any} */ order) => moved(order, await session(order.session).reset().result),
    undo: async (/** @type {any} */ order) => moved(order, await session(order.session).restore().result),
  };

  /** The variables have changed without a cell. @param {any} order @param {any} result */
  function moved({ session }, { ledger, status }) {
    tell({ moved: session, ledger, status });
  }

  /** @param {string} id @param {any} execution */
  async function follow(id, execution) {
    let overs = 0;
    const reading = (async () => {
      for await (const event of execution) {
        if (event.type === "running") tell({ began: id });
        if (event.type === "over") overs += 1;
      }
    })();
    const { status, failure, attempts, ledger, output, totalBytes, error } = await execution.result;
    await reading;
    const code = failure?.code ?? null;
    tell({ settled: id, status, code, attempts, ledger, output, totalBytes, error: error?.message ?? null, overs });
  }
}

/** Two agents, whose sessions are in the hub. */
async function hubSide() {
  const { openHubToolbox } = await import(inRepository("dist/hub/client/hub-toolbox.js"));
  const { granaryHome } = await import(inRepository("dist/settings/granary-home.js"));
  const { version } = (await import(inRepository("package.json"), { with: { type: "json" } })).default;
  /** @type {any[]} */
  let agents = [];
  return {
    open: async (/** @type {any} */ { settings }) => {
      const client = { pid: process.pid, began: null };
      const options = { home: granaryHome(process.env), env: process.env, version };
      agents = await Promise.all(
        ["one", "two"].map((key) =>
          openHubToolbox(
            {
              ...{
                key,
                session: key,
                label: key,
                client,
                cwd: folder,
                env: process.env,
                trust: true,
                resultBytes: null,
              },
              settings: { python: settings },
            },
            options,
          ),
        ),
      );
    },
    close: () => Promise.all(agents.map((agent) => agent.close())),
    run: (/** @type {any} */ { id, session: name, code }) => void call(id, name, code),
    interrupt: (/** @type {any} */ order) => kernels("interrupt", order.session),
    reset: (/** @type {any} */ order) => kernels("restart", order.session),
  };

  /** @param {string} action @param {string} name */
  async function kernels(action, name) {
    await agents[0].find("kernels").run({ action, session: name, force: true });
  }

  /** @param {string} id @param {string} name @param {string} code */
  async function call(id, name, code) {
    const agent = agents[name === "a" ? 0 : 1];
    tell({ began: id });
    const { structured, details } = await agent.find("python").run({ cells: [{ code }], session: name, queue: true });
    const { status = "failed", error: failure } = structured;
    const { output = "", totalBytes = null, error } = details?.cells.at(-1) ?? {};
    const claim = {
      status,
      code: failure?.code ?? (status === "failed" ? error?.name : null) ?? null,
      attempts: null,
      ledger: details?.ledger ?? null,
    };
    tell({ settled: id, ...claim, output, totalBytes, error: error?.message ?? null, overs: null });
  }
}
