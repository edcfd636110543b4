import { expect, test } from "vitest";
import { RunnerKernel } from "../../../../src/kernel/runner/runner-kernel.ts";
import { Handshake } from "../../../../src/kernel/runner/spawn-runner.ts";
import { ForkSocket } from "../../../../src/kernel/runner/warm/fork-socket.ts";
import { ForkedChild } from "../../../../src/kernel/runner/warm/forked-child.ts";
import { decodeFrame, type Hello } from "../../../../src/kernel/runner/wire/frames.ts";
import { openStreams } from "../../../../src/kernel/runner/wire/open-streams.ts";
import { newestPython, oldestPython } from "../../../environment/pythons.ts";
import { interruptWhenReady, printed, run, runToDeath } from "../../collect.ts";
import { py } from "../../py.ts";
import { startRunner, temporaryFolder } from "../start-runner.ts";

// What checkpoints are made of: a kernel that runs cells forks itself, and the copy becomes a kernel when it is needed.
for (const python of [oldestPython(), newestPython()]) {
  test(`a running kernel on Python ${python.version} can be forked: the copy is a kernel with its variables`, async () => {
    await using kernel = await startRunner(python.path);
    await run(kernel, "import threading\nx = [1]\ndef f(): return x\nprint('a')");
    const place = await ForkSocket.open();
    const fork = py`
      import os
      if os.fork() == 0:
          from granary_runner import boot
          from granary_runner.forking import child
          channels = child.connect_back(${JSON.stringify(place.path)}, ${JSON.stringify(place.word)}, ())
          requests = child.wait_for_start(channels[0])
          boot.connect(channels, requests)
          boot._serve(requests)
          os._exit(0)
      x.append("only in the parent")
    `;
    expect((await run(kernel, fork)).outcome).toBe("ok");
    const copy = await becomeKernel(await place.channels);
    expect(copy.info.pid).not.toBe(kernel.info.pid);
    expect(await printed(copy, "print(x, f() is x, threading.active_count())")).toBe("[1] True 1\n");
    expect(await printed(kernel, "print(x)")).toBe("[1, 'only in the parent']\n");
    expect((await interruptWhenReady(copy, "print('ready', flush=True)\nwhile True: pass")).outcome).toBe(
      "interrupted",
    );
    expect((await run(copy, "input('?')", { answer: async () => "yes" })).result?.["text/plain"]).toBe("'yes'");
    expect((await run(copy, "import subprocess; subprocess.run(['echo', 'child']); 1/0")).text).toBe("child\n");
    await runToDeath(copy, "import os; os.abort()");
    expect((await copy.exited).stack).toContain("<cell");
    expect(await printed(kernel, "print(f())")).toBe("[1, 'only in the parent']\n");
  });
}

async function becomeKernel(channels: Awaited<ForkSocket["channels"]>): Promise<RunnerKernel> {
  const ended = new Promise<{ exitCode: null; signal: null }>((resolve) =>
    channels.lifeline.resume().once("close", () => resolve({ exitCode: null, signal: null })),
  );
  const runner = new ForkedChild(0, channels, ended, () => undefined).becomeKernel({ cwd: temporaryFolder(), env: {} });
  const handshake = new Handshake(runner);
  const hello = decodeFrame<Hello>(await handshake.nextLine(undefined));
  const known = { ...runner, pid: hello.pid };
  let kernel: RunnerKernel | undefined;
  const streams = await openStreams(known, hello, handshake, (name, chunk) => kernel?.wire.takeChunk(name, chunk), {
    prefer: process.platform === "linux" ? "pipes" : "fifos",
    signal: undefined,
  });
  handshake.finish();
  kernel = new RunnerKernel(known, hello, { graceMs: 5000 });
  kernel.wire.useStreams(streams);
  return kernel;
}
