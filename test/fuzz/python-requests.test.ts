import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { SeededRandom } from "../chaos/random.ts";
import { newestPython } from "../environment/pythons.ts";
import { testedPythons } from "../environment/variants.ts";
import { mutated, mutatedValue } from "./mutations.ts";
import { RawPython } from "./raw-runner.ts";
import * as samples from "./samples.ts";

const { GRANARY_FUZZ_SEED: seed = "21", GRANARY_FUZZ_CASES: cases = "300" } = process.env;
const hours = { timeout: 6 * 3_600_000 };
const python = newestPython().path;
const folder = mkdtempSync(join(tmpdir(), "granary-fuzz-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A damaged line ends the process that reads it: 70, and a sentence. Of the real processes, some are enough. */
const withProcesses = Math.max(20, Math.floor(Number(cases) / 20));
const refusal = /Granary's host sent a damaged request, so Python ends: .+ It begins with: /;
const everyKind = [
  samples.runnerRequests,
  samples.controlRequests,
  samples.templateRequests,
  samples.becomeKernelRequests,
];
const ofCase = (number: number): number => Number(seed) * 1_000_003 + number;

test.each(testedPythons())(
  `damaged lines to Python's reader of requests, ${cases} with the seed ${seed}: taken or refused, in bounded memory ($version)`,
  hours,
  async ({ path }) => {
    const reader = spawn(path, [inRepository("test/fuzz/read_requests.py")], { stdio: ["pipe", "pipe", "inherit"] });
    const answer = once(reader.stdout, "data");
    for (let number = 0; number < Number(cases); number++) {
      const bytes = mutated(everyKind.flat(), new SeededRandom(ofCase(number)));
      const head = Buffer.alloc(4);
      head.writeUInt32LE(bytes.length);
      if (!reader.stdin.write(Buffer.concat([head, bytes]))) await once(reader.stdin, "drain");
    }
    reader.stdin.end();
    const counts = JSON.parse(String((await answer)[0])) as { taken: number; refused: number; megabytes: number };
    expect(Math.min(counts.taken, counts.refused)).toBeGreaterThan(Number(cases) / 20);
    expect(counts.megabytes).toBeLessThan(200);
  },
);

test(
  `damaged lines on the control channel of a runner, ${cases} with the seed ${seed}: it answers the next ping`,
  hours,
  async () => {
    const runner = await RawPython.runner(python, folder);
    const perRound = 100;
    for (let done = 0; done < Number(cases); done += perRound) {
      const random = new SeededRandom(ofCase(done));
      for (let count = 0; count < perRound; count++) runner.write(4, mutated(samples.controlRequests, random));
      const id = 1_000_000 + done;
      runner.write(4, `\n{"op":"ping","id":${id}}\n`);
      const pong = await runner.until((frame) => frame.t === "pong" && frame.id === id);
      expect(pong, `from case ${done}: ${runner.said}`).not.toBeNull();
      runner.frames.length = 0;
    }
    runner.write(3, '{"op":"execute","id":1,"code":"6 * 7"}\n');
    expect(await runner.until(({ t }) => t === "result")).toMatchObject({ data: { "text/plain": "42" } });
    expect(residentMb(runner.pid)).toBeLessThan(200);
    await runner.end();
  },
);

test(
  `damaged requests to a runner, ${withProcesses} with the seed ${seed}: an answer, or a reason and no effect`,
  hours,
  async () => {
    let ended = 0;
    let runner = await RawPython.runner(python, folder);
    for (let number = 0; number < withProcesses; number++) {
      const what = `seed ${ofCase(number)}`;
      const ran = join(folder, "ran");
      rmSync(ran, { force: true });
      runner.frames.length = 0;
      runner.write(3, damagedLine(samples.runnerRequests, number));
      const id = 1_000_000 + number;
      runner.write(3, `{"op":"is-complete","id":${id},"code":"1"}\n`);
      const reply = await runner.until((frame) => frame.t === "reply" && frame.id === id);
      const settled = runner.frames.filter(({ t }) => t === "done").length;
      // A request without an answer had no effect.
      expect(existsSync(ran) && settled === 0, what).toBe(false);
      if (reply !== null) continue;
      ended += 1;
      expect(await runner.exited, what).toEqual({ code: 70, signal: null });
      expect(runner.said, what).toMatch(refusal);
      runner = await RawPython.runner(python, folder);
    }
    await runner.end();
    // Both occur, or nothing was tried.
    expect(Math.min(ended, withProcesses - ended)).toBeGreaterThan(withProcesses / 20);
  },
);

test(
  `damaged requests to a warm interpreter, ${withProcesses} with the seed ${seed}: an answer, or a reason`,
  hours,
  async () => {
    const own = join(folder, "a-file-of-the-user");
    writeFileSync(own, "kept");
    const toFile = Buffer.from(`${JSON.stringify({ op: "fork", fork: 2, path: own, word: "w" })}\n`);
    let template: RawPython | null = null;
    for (let number = 0; number < withProcesses; number++) {
      if (template === null) {
        template = await RawPython.template(python, folder);
        template.write(3, '{"op":"preload","modules":[],"seconds":1,"megabytes":50}\n');
        await template.until(({ t }) => t === "ready");
      }
      const what = `seed ${ofCase(number)}`;
      template.frames.length = 0;
      template.write(3, damagedLine([...samples.templateRequests, toFile], number));
      const fork = 1_000_000 + number;
      template.write(3, `{"op":"fork","fork":${fork},"path":"/nowhere/s","word":"w"}\n`);
      if ((await template.until((frame) => frame.t === "forked" && frame.fork === fork)) !== null) continue;
      const { code, signal } = await template.exited;
      // It retires when it is asked to.
      expect([0, 70], `${what}: ${template.said}`).toContain(code);
      expect(signal, what).toBeNull();
      if (code === 70) expect(template.said, what).toMatch(refusal);
      template = null;
    }
    await template?.end();
    expect(readFileSync(own, "utf8")).toBe("kept");
  },
);

test(
  `damaged first requests to a forked child, with the seed ${seed}: it becomes a kernel or ends`,
  hours,
  async () => {
    const template = await RawPython.template(python, folder);
    template.write(3, '{"op":"preload","modules":[],"seconds":1,"megabytes":50}\n');
    await using host = await Listener.open();
    for (let number = 0; number < withProcesses / 2; number++) {
      const what = `seed ${ofCase(number)}`;
      template.frames.length = 0;
      template.write(3, `${JSON.stringify({ op: "fork", fork: number, path: host.path, word: "w" })}\n`);
      const channels = await host.connections(4);
      const forked = await template.until((frame) => frame.t === "forked" && frame.fork === number);
      channels[0]?.write(damagedLine(samples.becomeKernelRequests, number));
      const said = await framesOrEnd(channels[0] as Socket);
      if (said !== null) expect(JSON.parse(said), what).toMatchObject({ t: "hello", pid: forked?.pid });
      for (const channel of channels) channel.destroy();
      // As the host does: Python may not have noticed the signal.
      const reminder = setInterval(() => template.write(3, '{"op":"reap"}\n'), 200);
      const ended = await template.until((frame) => frame.t === "ended" && frame.pid === forked?.pid);
      clearInterval(reminder);
      expect(ended, `${what}: ${template.said}`).not.toBeNull();
    }
    await template.end();
  },
);

test(
  `damaged requests to a checkpoint, with the seed ${seed}: it answers or ends, and the kernel works`,
  hours,
  async () => {
    await using host = await Listener.open();
    const runner = await RawPython.runner(python, folder);
    runner.write(
      3,
      `{"op":"execute","id":1,"code":"import atexit; atexit.register(print, 'never', file=open('exits', 'a'), flush=True)"}\n`,
    );
    for (let number = 0; number < withProcesses / 4; number++) {
      const what = `seed ${ofCase(number)}`;
      const wish = { checkpoint: number + 1, path: host.path, word: "w" };
      runner.write(3, `${JSON.stringify({ op: "checkpoint", checkpoint: wish })}\n`);
      const [copy] = (await host.connections(1)) as [Socket];
      const announced = await framesOrEnd(copy);
      if (announced === null) throw new Error(`There was no copy: ${JSON.stringify(runner.frames)} ${runner.said}`);
      const { pid } = JSON.parse(announced) as { readonly pid: number };
      copy.write(damagedLine(samples.templateRequests, number));
      copy.write(`{"op":"fork","fork":1000,"path":"/nowhere/s","word":"w"}\n`);
      const said = await framesOrEnd(copy);
      if (said !== null) expect(said, what).toMatch(/^\{"t":"(forked|ended)"/);
      copy.destroy();
      const id = 1_000 + number;
      runner.write(3, `{"op":"execute","id":${id},"code":"6 * 7"}\n`);
      expect(await runner.until((frame) => frame.t === "result" && frame.id === id), what).not.toBeNull();
      await hasGone(pid);
    }
    await runner.end();
    expect(readFileSync(join(folder, "exits"), "utf8")).toBe("");
  },
);

test("a line on the interrupt channel that is no number neither hangs nor ends the runner", async () => {
  const runner = await RawPython.runner(python, folder);
  for (const [index, damaged] of ["x\n", "1\n", "\0\n", "1 2 3\n", `${"9".repeat(3000)} 1\n`].entries()) {
    const id = index + 1;
    runner.write(
      3,
      `${JSON.stringify({ op: "execute", id, code: "print(flush=True); import time\nwhile True: time.sleep(0.01)" })}\n`,
    );
    runner.write(4, '{"op":"flush"}\n');
    await runner.until((frame) => frame.t === "started" && frame.id === id);
    runner.write(5, damaged);
    // As often as the host would: a signal may come before the cell is ready for one.
    const again = setInterval(() => process.kill(runner.pid, "SIGINT"), 50);
    const done = await runner.until((frame) => frame.t === "done" && frame.id === id);
    clearInterval(again);
    expect(done, runner.said).toMatchObject({ outcome: "interrupted" });
  }
  await runner.end();
});

test("a line without an end is refused when it is longer than any of the host's, and not kept", async () => {
  const script = `import os, sys
sys.path.insert(0, ${JSON.stringify(inRepository("python"))})
from granary_runner.wire import frames, requests
frames.Lines.most = 1_000_000
fd = os.open("/dev/zero", os.O_RDONLY)
requests.next_of(frames.Lines(fd))`;
  const run = promisify(execFile)(python, ["-c", script]);
  await expect(run).rejects.toMatchObject({
    code: 70,
    stderr: expect.stringContaining("a line has more than 1000000 bytes"),
  });
});

/** Bytes that changed, fields that changed, or a request that is right: one after a damaged one that did not end its reader. */
function damagedLine(of: readonly Buffer[], number: number): Buffer {
  const random = new SeededRandom(ofCase(number));
  if (random.chance(0.3)) return random.pick(of);
  if (random.chance(0.4)) {
    const value = mutatedValue(JSON.parse(random.pick(of).toString()), random);
    return Buffer.from(`${JSON.stringify(value) ?? ""}\n`);
  }
  const bytes = mutated(of, random);
  return bytes.at(-1) === 10 ? bytes : Buffer.concat([bytes, Buffer.from("\n")]);
}

function residentMb(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
  return (pages * 4096) / 2 ** 20;
}

/** The JSON lines on a connection, after the greeting, once there are some; null at its end. */
function framesOrEnd(socket: Socket): Promise<string | null> {
  let text = "";
  return new Promise((resolve) => {
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const begin = text.indexOf("{");
      if (begin !== -1 && text.endsWith("\n")) resolve(text.slice(begin));
    });
    socket.once("close", () => resolve(null));
  });
}

/** A copy ends with its connection; its parent reaps it at the next checkpoint. */
async function hasGone(pid: number): Promise<void> {
  const isAlive = (): boolean => {
    try {
      return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
    } catch {
      return false;
    }
  };
  while (isAlive()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** The host's side of a socket that forked Pythons connect to. */
class Listener {
  readonly path = join(mkdtempSync(join(folder, "s-")), "s");
  readonly #server = createServer((socket) => this.#take(socket));
  readonly #waiting: Socket[] = [];
  #arrived: () => void = () => {};

  static async open(): Promise<Listener> {
    const listener = new Listener();
    await new Promise<void>((resolve) => listener.#server.listen(listener.path, resolve));
    return listener;
  }

  async connections(count: number): Promise<readonly Socket[]> {
    while (this.#waiting.length < count) {
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
    return this.#waiting.splice(0, count);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
  }

  #take(socket: Socket): void {
    socket.on("error", () => {});
    this.#waiting.push(socket);
    this.#arrived();
  }
}
