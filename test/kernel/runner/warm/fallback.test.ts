import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { ForkSocket } from "../../../../src/kernel/runner/warm/fork-socket.ts";
import { newestPython } from "../../../environment/pythons.ts";
import { printed, run } from "../../collect.ts";
import { until } from "../../until.ts";
import { plainEnvironment, temporaryFolder } from "../start-runner.ts";
import { WarmStarter } from "./start-warm.ts";

const { path: python } = newestPython();

describe("a kernel starts all the same when", () => {
  test("there is no folder for sockets", async () => {
    vi.stubEnv("TMPDIR", `/tmp/${"long/".repeat(30)}`);
    await using starter = new WarmStarter(python);
    await (await starter.try()).kernel.close();
    await starter.warm.settled();
    await using kernel = await starter.start();
    expect(await printed(kernel, "print(1)")).toBe("1\n");
    vi.unstubAllEnvs();
  });

  test("the warm interpreter does not start", async () => {
    const folder = temporaryFolder();
    const odd = join(folder, "python");
    writeFileSync(
      odd,
      `#!/bin/sh\n[ "$2" = template ] && { echo x >> ${folder}/starts; echo no >&2; exit 1; }\nexec ${python} "$@"\n`,
    );
    chmodSync(odd, 0o755);
    await using starter = new WarmStarter(odd);
    for (let round = 0; round < 5; round++) {
      const { kernel, isForked } = await starter.try();
      expect([isForked, await printed(kernel, "print(1)")]).toEqual([false, "1\n"]);
      await kernel.close();
      await starter.warm.settled();
    }
    // It is not tried for ever.
    expect(readFileSync(join(folder, "starts"), "utf8")).toBe("x\n".repeat(3));
    const options = { interpreter: odd, cwd: folder, env: plainEnvironment };
    expect(await starter.warm.try(options)).toEqual({ problem: "A warm Python ended. It said: no" });
  });

  test("the warm interpreter hangs, and kernels that it forked can be closed", async () => {
    await using starter = new WarmStarter(python);
    const before = await starter.start();
    const template = parentOf(before.info.pid as number);
    process.kill(template, "SIGSTOP");
    try {
      await before.close();
      expect(await before.exited).toMatchObject({ expected: true, exitCode: null, signal: null });
      // The spare one is taken, and none comes after it.
      for (let round = 0; round < 2; round++) {
        await using kernel = (await starter.try()).kernel;
        expect(await printed(kernel, "print(1)")).toBe("1\n");
      }
    } finally {
      process.kill(template, "SIGKILL");
    }
  });

  test("its folder is gone, with the reason that a spawned one gives", async () => {
    await using starter = new WarmStarter(python);
    await (await starter.start()).close();
    const folder = temporaryFolder();
    rmSync(folder, { recursive: true });
    await expect(starter.try({ cwd: folder })).rejects.toThrow(`The working folder ${folder} does not exist`);
    await using next = await starter.start();
    expect((await run(next, "1")).outcome).toBe("ok");
  });

  test("many are wanted at once", async () => {
    await using starter = new WarmStarter(python);
    await (await starter.start()).close();
    const kernels = await Promise.all(Array.from({ length: 12 }, () => starter.try()));
    const outputs = await Promise.all(kernels.map(({ kernel }, number) => printed(kernel, `print(${number})`)));
    expect(outputs).toEqual(kernels.map((_, number) => `${number}\n`));
    expect(new Set(kernels.map(({ kernel }) => kernel.info.pid)).size).toBe(12);
    await Promise.all(kernels.map(({ kernel }) => kernel.close()));
    if (process.platform !== "linux") return;
    await using last = await starter.start();
    const template = parentOf(last.info.pid as number);
    await until("there is one spare and no other", () => childrenOf(template).length === 2);
  });

  test("nobody wants it any more while it is forked", async () => {
    await using starter = new WarmStarter(python);
    await (await starter.start()).close();
    const gone = AbortSignal.abort();
    await expect(starter.try({ signal: gone })).rejects.toThrow("Python did not start in time");
    await using next = await starter.start();
    expect((await run(next, "1")).outcome).toBe("ok");
  });
});

describe("only the child that was asked for gets through", () => {
  test("a connection without the word is closed, and nothing else happens", async () => {
    const place = await ForkSocket.open();
    const closed: string[] = [];
    for (const greeting of ["frames\n", `${"0".repeat(32)} frames\n`, `${place.word} nothing\n`, "x".repeat(1000)]) {
      const stranger = createConnection(place.path);
      stranger.on("error", () => undefined).on("close", () => closed.push(greeting));
      stranger.write(greeting);
    }
    await until("all strangers are sent away", () => closed.length === 4);
    const names = ["frames", "control", "interrupts", "lifeline"];
    const own = names.map(() => createConnection(place.path).on("error", () => undefined));
    own.forEach((socket, index) => void socket.write(`${place.word} ${names[index]}\n`));
    const channels = await place.channels;
    expect(Object.keys(channels)).toEqual(names);
    for (const socket of [...own, ...Object.values(channels)]) socket.destroy();
  });

  test("its folder is for its owner only, and gone afterwards", async () => {
    const folder = temporaryFolder();
    vi.stubEnv("TMPDIR", folder);
    const place = await ForkSocket.open();
    const [name = ""] = readdirSync(folder);
    expect((statSync(join(folder, name)).mode & 0o777).toString(8)).toBe("700");
    place.close();
    await expect(place.channels).rejects.toThrow("did not connect");
    expect(readdirSync(folder)).toEqual([]);
    vi.unstubAllEnvs();
  });
});

function childrenOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim().split(" ");
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]);
}
