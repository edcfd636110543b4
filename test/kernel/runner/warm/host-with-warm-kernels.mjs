// A host with a forked kernel. Arguments: the modules of the backend and of the warm interpreters, a Python, and what it does then:
// `wait` for its death after it has said the kernel's pid, or `end` after the warm interpreter's.
import { readFileSync } from "node:fs";

const [backendModule, warmModule, interpreter, how] = process.argv.slice(2);
const { createRunnerBackend } = await import(String(backendModule));
const { WarmInterpreters } = await import(String(warmModule));
const warm = new WarmInterpreters({ firstDelayMs: 0 });
const backend = createRunnerBackend({ warm });
const start = () => backend.start({ interpreter, cwd: "/", env: process.env });

await (await start()).close();
await warm.settled();
const kernel = await start();
for await (const _ of kernel.execute("1"));
if (how === "end") {
  console.log(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${kernel.info.pid}/status`, "latin1"))?.[1]);
  await kernel.close();
} else {
  console.log(kernel.info.pid);
  for await (const _ of kernel.execute("sum(range(10 ** 13))"));
}
