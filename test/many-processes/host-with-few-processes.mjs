// A host without root's rights, whose warm interpreter and then itself may have no more processes. Arguments: the modules of the backend
// and of the warm interpreters, a Python. Prints one line of JSON.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [backendModule, warmModule, interpreter] = process.argv.slice(2);
const { createRunnerBackend } = await import(String(backendModule));
const { WarmInterpreters } = await import(String(warmModule));
const warm = new WarmInterpreters({ firstDelayMs: 0 });
const backend = createRunnerBackend({ warm });
const cold = createRunnerBackend();

/** @param {import("../../src/kernel/kernel.ts").Kernel} kernel */
async function use(kernel) {
  let text = "";
  for await (const event of kernel.execute("print(6 * 7)")) if (event.type === "stream") text += event.text;
  return {
    text,
    parent: Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${kernel.info.pid}/status`, "latin1"))?.[1]),
  };
}

const start = (from = backend) => from.start({ interpreter, cwd: "/", env: process.env });
const allowNoMore = (/** @type {number} */ pid) => execFileSync("prlimit", ["--pid", String(pid), "--nproc=1:1"]);

await (await start()).close();
await warm.settled();
const first = await start();
const { parent: template } = await use(first);
allowNoMore(template);
// There may be a spare kernel from before.
const others = [await start(), await start()];
const uses = [await use(others[0]), await use(others[1])];
allowNoMore(process.pid);
const refusal = await start(cold).then(
  () => "started",
  (/** @type {Error} */ error) => error.message,
);
const still = await use(first);
const texts = [...uses, still].map(({ text }) => text);
const isForked = [template !== process.pid, uses[1]?.parent === template];
console.log(JSON.stringify({ texts, isForked, refusal }));
await Promise.all([first, ...others].map((kernel) => kernel.close()));
await warm.close();
