// A host with a small heap that runs one cell, and interrupts it. Arguments: a folder, the code, when to interrupt it, as
// "bytes N", "seconds N" or "never", and a question, "variables" or "none". It prints the outcome, the memory and the blocks.
import { readFileSync } from "node:fs";
import { inRepository } from "../../scripts/repository.mjs";

const [cwd, code = "", interruptAfter = "never", question = "none"] = process.argv.slice(2);
const { createRuntime } = await import(inRepository("dist/library/index.js"));

/** More processor time than this between two ticks is a block. On a busy machine, time itself says nothing. */
const mostMs = 100;
let blocks = 0;
let longest = 0;
let ticks = 0;
let last = process.cpuUsage();
const watchdog = setInterval(() => {
  const { user, system } = process.cpuUsage(last);
  const spent = (user + system) / 1000;
  ticks += 1;
  longest = Math.max(longest, spent);
  if (spent > mostMs) blocks += 1;
  last = process.cpuUsage();
}, 5);

const runtime = await createRuntime({ cwd, trust: true });
const session = runtime.session();
// Loading modules is not what is measured.
await session.run("1 / 0").result;
await session.run("print('x'); display(1)").result;
last = process.cpuUsage();
[blocks, longest, ticks] = [0, 0, 0];

const execution = session.run(code);
const [unit, amount] = interruptAfter.split(" ");
let bytes = 0;
const interrupt = () => void execution.interrupt();
const timer = unit === "seconds" ? setTimeout(interrupt, Number(amount) * 1000) : undefined;
for await (const event of execution) {
  if (event.type !== "text") continue;
  bytes += event.text.length;
  if (unit === "bytes" && bytes > Number(amount)) interrupt();
}
clearTimeout(timer);
const { status, totalBytes, totalLines, output } = await execution.result;
const listed = question === "variables" ? await session.variables() : null;
const next = await session.run("6 * 7").result;
clearInterval(watchdog);
// Not `maxRSS`, which a process takes over from the one that started it.
const peak = /^VmHWM:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
const megabytes = Math.round(Number(peak) / 1024);
console.log(
  JSON.stringify({
    ...{ status, totalBytes, totalLines, shown: output.length, end: output.slice(-200), next: next.output, megabytes },
    ...{ blocks, longest: Math.round(longest), ticks, variables: listed === null ? null : Object.keys(listed) },
  }),
);
await runtime.close();
