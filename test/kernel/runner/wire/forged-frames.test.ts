import { expect, test } from "vitest";
import type { Kernel } from "../../../../src/kernel/kernel.ts";
import { Interrupter } from "../../../../src/kernel/runner/interrupter.ts";
import { newestPython } from "../../../environment/pythons.ts";
import { printed, run } from "../../collect.ts";
import { py } from "../../py.ts";
import { SilentRunner } from "../silent-runner.ts";
import { startRunner } from "../start-runner.ts";

/** A thread writes bytes of its own to a channel of the runner after its cell has ended. */
async function forge(kernel: Kernel, bytes: string, channel: "frames" | "interrupts" = "frames"): Promise<void> {
  const module = channel === "frames" ? "granary_runner.wire.emit" : "granary_runner.cells.interrupt";
  const code = py`
    import os, threading, time, granary_runner.wire.emit, ${module} as module
    def forge():
        while granary_runner.wire.emit.cell_id is not None: time.sleep(0.01)
        rest = memoryview(${bytes})
        while rest: rest = rest[os.write(module._fd, rest):]
    threading.Thread(target=forge, daemon=True).start()
  `;
  await run(kernel, code);
}

const line = (frame: object): string => `rb'''${JSON.stringify(frame)}''' + b"\\n"`;
const show = { t: "display", id: null, data: { "text/plain": "shown" }, metadata: {} };
const comm = { t: "comm", id: null, type: "comm_msg", content: { comm_id: "c" }, metadata: {} };

test("a display that names contents which only the host adds is shown without them", async () => {
  await using kernel = await startRunner(newestPython().path);
  const shown = new Promise((resolve) => kernel.onLateDisplay(resolve));
  await forge(kernel, line({ ...show, large: { "text/plain": { problem: null, bytes: 1, release: 1 } } }));
  expect(await shown).toEqual({ type: "display", data: { "text/plain": "shown" }, metadata: {}, update: false });
  expect(await printed(kernel, "print('alive')")).toBe("alive\n");
});

const file = (json: boolean) => ({ file: 1, path: "PATH", bytes: 4, json });
test.each<[string, object]>([
  ["a display whose JSON is none", { ...show, data: {}, files: { "application/json": file(true) } }],
  ["a message of a widget whose buffers have no lengths", { ...comm, lengths: 5, files: { buffers: file(false) } }],
  ["a message of a widget whose data is no JSON", { ...comm, files: { data: file(true) } }],
  [
    "a call of the host with a number that is none",
    { t: "host-call", id: null, call: { toString: 1, valueOf: 1 }, name: "x", args: {}, main: true },
  ],
])("%s ends this Python, and never the host", async (_what, frame) => {
  await using kernel = await startRunner(newestPython().path, { onHostCall: async () => ({ text: "x" }) });
  kernel.onLateDisplay(() => {});
  kernel.comms?.onLate(() => {});
  await printed(
    kernel,
    "import os; f = open('/tmp/' + os.urandom(8).hex(), 'x+'); os.unlink(f.name); f.write('nope'); f.flush()",
  );
  const named = line(frame).replace('"PATH"', `"''' + f'/proc/{os.getpid()}/fd/{f.fileno()}'.encode() + rb'''"`);
  await forge(kernel, named);
  expect((await kernel.exited).summary).toContain("private channel");
});

test.each(["frames", "interrupts"] as const)(
  "a line without an end on %s ends this Python, and never the host",
  async (channel) => {
    await using kernel = await startRunner(newestPython().path);
    await forge(kernel, 'b"x" * 70_000_000', channel);
    expect((await kernel.exited).summary).toContain("private channel");
  },
);

test("a frame of millions of objects ends this Python, and costs the host little memory", async () => {
  await using kernel = await startRunner(newestPython().path);
  const frame = '{"t":"display","id":null,"metadata":{},"data":{"application/json":[';
  const before = process.memoryUsage().rss;
  await forge(kernel, `b'${frame}' + b"{}," * 10_000_000 + b"1]}}\\n"`);
  expect((await kernel.exited).summary).toContain("private channel");
  expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(500);
});

test("lines that are no answers to interrupts fill no memory of the host", () => {
  const runner = new SilentRunner();
  const wires = { askOwner: () => {}, delivered: () => null, onNonsense: () => {} };
  const interrupter = new Interrupter(runner.process, wires);
  runner.interrupts.socket.emit("data", Buffer.from("not an answer\n".repeat(500_000)));
  expect(interrupter.crashReport.length).toBeLessThan(1_100_000);
});
