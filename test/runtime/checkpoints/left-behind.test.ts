import { readdirSync, readlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { createRuntime } from "../../../src/runtime/runtime.ts";
import type { Session } from "../../../src/session/session.ts";
import { isLong } from "../../environment/variants.ts";
import { until } from "../../kernel/until.ts";
import { environmentIn, temporaryFolder } from "../runtimes.ts";

const folder = temporaryFolder();
const rounds = isLong ? 50 : 10;

test.skipIf(process.platform !== "linux")(
  `${rounds} crashes and undos leave no process and no descriptor`,
  async () => {
    const settings = { python: { checkpoints: "always" as const, warm: false as const } };
    await using granary = await createRuntime({ cwd: folder, env: environmentIn(folder), settings, trust: true });
    // The first session loads and keeps what all of them share.
    await rounded(granary.session("first"), 2);
    await granary.session("first").leave();
    await until("the copies are gone", () => processes() === 0);
    const before = descriptors();
    const session = granary.session("second");
    await rounded(session, 5);
    const inKernel = await session.run("len(os.listdir('/proc/self/fd'))").result;
    await rounded(session, rounds);
    const later = await session.run("len(os.listdir('/proc/self/fd'))").result;
    expect(later.output).toBe(inKernel.output);
    await session.leave();
    await until("the copies are gone", () => processes() === 0);
    await until("the descriptors are closed", () => descriptors() <= before);
  },
);

test.skipIf(process.platform !== "linux")(
  "a kernel that is killed after it made a copy, and before it could say so, leaves no copy",
  async () => {
    const settings = { python: { checkpoints: "always" as const, warm: false as const } };
    await using granary = await createRuntime({ cwd: folder, env: environmentIn(folder), settings, trust: true });
    const session = granary.session("killed");
    const killed = "lambda *_: os.kill(os.getpid(), 9)";
    await session.run(`import os; from granary_runner.checkpoints import checkpoint; checkpoint._introduce = ${killed}`)
      .result;
    expect(await session.run("6 * 7").result).toMatchObject({ status: "ok", output: "42\n" });
    await session.leave();
    await until("the copy is gone", () => processes() === 0);
  },
);

async function rounded(session: Session, times: number): Promise<void> {
  await session.run("import os; x = 0").result;
  for (let round = 0; round < times; round++) {
    await session.run("x += 1").result;
    expect((await session.run("os.abort()").result).ledger.state).toBe("restored");
    await session.run("x += 1").result;
    expect((await session.restore().result).status).toBe("ok");
  }
  expect((await session.run("x").result).output).toBe(`${times}\n`);
}

/** Kernels and copies, whoever their parents are: all of them work in the folder. */
function processes(): number {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && workingFolder(name) === folder).length;
}

function workingFolder(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null; // it has ended
  }
}

function descriptors(): number {
  return readdirSync("/proc/self/fd").length;
}
