import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KernelParent } from "../../../../src/kernel/runner/warm/kernel-parent.ts";
import {
  decodeTemplateFrame,
  type ForkFrame,
  type ForkRequest,
} from "../../../../src/kernel/runner/warm/template-frames.ts";
import { LineSplitter } from "../../../../src/kernel/runner/wire/line-splitter.ts";

/** No process has this number. */
const pid = 2 ** 30;

/**
 * A warm Python whose kernel ends by SIGABRT at the first moment. Python notices a signal that comes right before it waits for a
 * request only with the next request, and so does this one.
 */
function absentMinded(socket: Socket): void {
  const tell = (frame: ForkFrame) => void socket.write(`${JSON.stringify(frame)}\n`);
  const lines = new LineSplitter(async (line) => {
    const request = JSON.parse(line) as ForkRequest;
    if (request.op === "reap") return tell({ t: "ended", pid, code: null, signal: 6 });
    if (request.op !== "fork") return;
    tell({ t: "forked", fork: request.fork, pid });
    for (const name of ["frames", "control", "interrupts", "lifeline"]) {
      const channel = connect(request.path);
      channel.write(`${request.word} ${name}\n`);
      if (name === "lifeline") channel.end();
    }
  });
  socket.on("data", (chunk) => lines.push(chunk));
}

test("the end of a forked kernel is known, also when Python did not notice the signal of it", async () => {
  const server = createServer(absentMinded).listen(join(mkdtempSync(join(tmpdir(), "granary-")), "socket"));
  await once(server, "listening");
  const commands = connect(server.address() as string);
  const parent = new KernelParent(commands);
  const frames = new LineSplitter((line) => parent.take(decodeTemplateFrame(line) as ForkFrame));
  commands.on("data", (chunk) => frames.push(chunk));
  try {
    const child = await parent.fork(AbortSignal.timeout(20_000));
    expect(await child.exited).toEqual({ exitCode: null, signal: "SIGABRT" });
  } finally {
    commands.destroy();
    server.close();
  }
});
