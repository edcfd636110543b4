import { describe, expect, test } from "vitest";
import { runtimeIn, temporaryFolder } from "../runtimes.ts";

const folder = temporaryFolder();

describe("a branch", () => {
  test("begins with the variables of its session, goes its own way at the same time, and may be kept", async () => {
    await using granary = await runtimeIn(folder, { checkpoints: "auto" });
    const session = granary.session();
    await session.run("rows = [1, 2, 3]").result;
    const branches = await Promise.all(["a", "b", "c"].map((name) => session.fork(name)));
    const outputs = branches.map(async (branch, index) => {
      await branch.run(`rows.append(${index})`).result;
      return (await branch.run("rows").result).output;
    });
    expect(await Promise.all(outputs)).toEqual(["[1, 2, 3, 0]\n", "[1, 2, 3, 1]\n", "[1, 2, 3, 2]\n"]);
    expect((await session.run("rows").result).output).toBe("[1, 2, 3]\n");
    const [, b] = branches;
    if (b === undefined) throw new Error("no branch");
    await session.keep(b);
    const { output, ledger } = await session.run("rows").result;
    expect(output).toBe("[1, 2, 3, 1]\n");
    expect(ledger.state).toBe("alive");
    await session.restore({ cell: 1 }).result;
    expect((await session.run("rows").result).output).toBe("[1, 2, 3]\n");
  });

  test("needs no checkpoints, and ends without its session", async () => {
    await using granary = await runtimeIn(folder, { checkpoints: "off" });
    const session = granary.session();
    await session.run("x = 1").result;
    const branch = await session.fork("other");
    expect((await branch.run("x").result).output).toBe("1\n");
    expect((await branch.run("x").result).ledger).toEqual({ generation: 1, state: "alive", reason: null });
    await expect(session.fork("other")).rejects.toMatchObject({ code: "session-exists" });
    await branch.leave();
    expect((await session.run("x").result).output).toBe("1\n");
  });

  test("is refused with the reason while a thread runs, and before there is a kernel", async () => {
    await using granary = await runtimeIn(folder);
    const session = granary.session();
    await expect(session.fork("early")).rejects.toMatchObject({ code: "no-checkpoint" });
    const worker = "threading.Thread(target=threading.Event().wait, name='worker', daemon=True).start()";
    await session.run(`import threading\n${worker}`).result;
    await expect(session.fork("late")).rejects.toThrow("The kernel cannot be copied now: the thread worker.");
  });
});
