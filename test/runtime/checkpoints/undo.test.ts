import { describe, expect, test } from "vitest";
import type { RestoreTarget } from "../../../src/session/checkpoints/timeline.ts";
import type { Session } from "../../../src/session/session.ts";
import { until } from "../../kernel/until.ts";
import { runtimeIn, temporaryFolder } from "../runtimes.ts";

const folder = temporaryFolder();

describe("undo", () => {
  test("takes the last cell back, then the one before; and an undo can be undone", async () => {
    await using granary = await runtimeIn(folder, { checkpoints: "auto" });
    const session = granary.session();
    for (const n of [1, 2, 3, 4]) await session.run(`x = ${n}`).result;
    const { status, ledger, notices } = await session.restore().result;
    expect(status).toBe("ok");
    expect(ledger).toEqual({ generation: 2, state: "restored", restoredTo: 3, reason: "Cell 4 was undone." });
    expect(notices).toEqual([
      "Cell 4 was undone. Variables are as they were after cell 3. Files on disk stay as they are.",
    ]);
    expect(await value(session, "x")).toBe("3");
    await session.restore({ cell: 1 }).result;
    expect(await value(session, "x, In[-2]")).toBe("(1, 'x = 1')");
    const after4 = session.checkpoints().find(({ cell }) => cell === 4);
    await session.restore(after4?.id).result;
    expect(await value(session, "x")).toBe("4");
  });

  test("of the first cell starts Python again, and can be undone", async () => {
    await using granary = await runtimeIn(folder, { checkpoints: "auto" });
    const session = granary.session();
    const first = session.run("x = 1");
    await first.result;
    const { ledger, notices } = await session.restore().result;
    expect(ledger).toEqual({ generation: 2, state: "restored", restoredTo: 0, reason: "Cell 1 was undone." });
    expect(notices).toEqual([
      "Cell 1 was undone. Variables are as they were before the first cell: Python was started again. Files on disk stay as they are.",
    ]);
    expect(await value(session, "'x' in globals()")).toBe("False");
    const { ledger: back } = await session.restore({ execution: first.id }).result;
    expect(back.reason).toBe("Cell 1 was undone, and cell 1 is back.");
    expect(await value(session, "x")).toBe("1");
    await session.restore({ cell: 0 }).result;
    expect(await value(session, "'x' in globals()")).toBe("False");
  });

  test("goes to the state after an execution, whose number may be in use again", async () => {
    await using granary = await runtimeIn(folder, { checkpoints: "auto" });
    const session = granary.session();
    await session.run("x = 1").result;
    const second = session.run("x = 2");
    await second.result;
    await session.restore().result;
    expect(second.undone).toBe("undo");
    await session.run("x = 'again'").result;
    expect((await session.restore({ execution: second.id }).result).status).toBe("ok");
    expect(second.undone).toBeNull();
    expect(await value(session, "x")).toBe("2");
    const { failure } = await session.restore({ execution: "run-999" }).result;
    expect(failure?.message).toMatch(/^There is no checkpoint after run-999\./);
  });

  test("to a number means the cell that counts, and changes nothing where that is the last one", async () => {
    await using granary = await runtimeIn(folder, { checkpoints: "auto" });
    const session = granary.session();
    const already = async (target: RestoreTarget | string, cell = 2): Promise<void> => {
      const { generation } = session.shared;
      const { status, notices } = await session.restore(target).result;
      const sentence = `Variables are already as they were after cell ${cell}.`;
      expect([status, notices, session.shared.generation]).toEqual(["ok", [sentence], generation]);
    };
    await session.run("a = 1").result;
    const undone = session.run("b = 1");
    await undone.result;
    await already({ cell: 2 });
    await already({ execution: undone.id });
    await session.restore().result;
    await already({ cell: 1 }, 1);
    const second = session.run("b = 2");
    await second.result;
    await already({ cell: 2 });
    await already({ execution: second.id });
    expect(undone.undone).toBe("undo");
    expect(await value(session, "b")).toBe("2");
    await session.restore({ cell: 2 }).result;
    await already({ cell: 2 });
    await already(session.checkpoints().find(({ isCurrent }) => isCurrent)?.id ?? "none");
    await session.restore({ cell: 1 }).result;
    expect((await session.restore({ cell: 2 }).result).notices[0]).toMatch(/^Cell 2 is back\./);
    expect(await value(session, "b")).toBe("2");
  });

  test("of what there is no checkpoint of says which there are", async () => {
    await using granary = await runtimeIn(folder, { checkpoints: "auto" });
    const session = granary.session();
    const { failure } = await session.restore().result;
    expect(failure?.code).toBe("no-checkpoint");
    await session.run("x = 1").result;
    await session.run("x = 2").result;
    const second = await session.restore({ cell: 7 }).result;
    expect(second.failure?.message).toBe(
      "There is no checkpoint after cell 7. There are checkpoints after these cells: 1.",
    );
    expect(second.ledger.state).toBe("alive");
  });

  test("is refused with the reason where checkpoints are off", async () => {
    await using granary = await runtimeIn(folder, { checkpoints: "off" });
    const session = granary.session();
    await session.run("x = 1").result;
    await session.run("x = 2").result;
    expect((await session.restore().result).failure?.message).toMatch(/^Checkpoints are off/);
  });

  test("restores every state that is listed: the one wanted makes no room for the present one", async () => {
    await using granary = await runtimeIn(folder, { checkpoints: "auto", checkpointCopies: 4 });
    for (const position of [0, 1, 2, 3]) {
      const session = granary.session(`session ${position}`);
      for (let n = 1; n <= 9; n++) await session.run(`x = ${n}`).result;
      await until("all are there", () => session.checkpoints().at(-1)?.cell === 8);
      const wanted = session.checkpoints()[position];
      expect(await session.restore({ cell: wanted?.cell }).result).toMatchObject({ status: "ok" });
      expect(await value(session, "x")).toBe(String(wanted?.cell));
      expect(session.checkpoints().length).toBeLessThanOrEqual(4);
    }
  });

  test("keeps the newest states, and fewer of the older ones", async () => {
    await using granary = await runtimeIn(folder, { checkpoints: "auto", checkpointCopies: 4 });
    const session = granary.session();
    for (let n = 1; n <= 20; n++) await session.run(`x = ${n}`).result;
    const seen = (): readonly number[] => session.checkpoints().map(({ cell }) => cell);
    await until("the last one is there", () => seen().at(-1) === 19);
    const cells = seen();
    expect(cells).toHaveLength(4);
    expect(cells.slice(-2)).toEqual([18, 19]);
    expect(cells[0]).toBeLessThan(15);
  });
});

async function value(session: Session, code: string): Promise<string> {
  return (await session.run(code).result).output.trimEnd();
}
