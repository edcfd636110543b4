import { describe, expect, test } from "vitest";
import { isRunning } from "../kernel/processes.ts";
import { runtimeIn, temporaryFolder } from "./runtimes.ts";

const folder = temporaryFolder();

describe("several owners of one session", () => {
  test("share its variables, and the last to leave ends its Python", async () => {
    await using granary = await runtimeIn(folder);
    const ada = granary.session("work", { owner: "ada" });
    const bob = granary.session("work", { owner: "bob" });
    await ada.run("x = 1").result;
    expect((await bob.run("x").result).output).toBe("1\n");
    const pid = ada.shared.info?.pid as number;
    await ada.leave();
    await ada.leave();
    expect(isRunning(pid)).toBe(true);
    await bob.leave();
    expect(isRunning(pid)).toBe(false);
    expect(granary.sessions).toEqual([]);
  });

  test("cannot reset it without force", async () => {
    await using granary = await runtimeIn(folder);
    const ada = granary.session("work", { owner: "ada" });
    const bob = granary.session("work", { owner: "bob" });
    await bob.run("x = 1").result;
    for (const refused of [ada.reset(), ada.run("1", { reset: true })]) {
      const { failure } = await refused.result;
      expect(failure).toMatchObject({
        code: "session-shared",
        message: expect.stringMatching(/also used by bob.*Use another session, or reset with force/),
      });
    }
    expect((await bob.run("x").result).output).toBe("1\n");
  });

  test("get a note with their next result when one of them has reset it by force", async () => {
    await using granary = await runtimeIn(folder);
    const ada = granary.session("work", { owner: "ada" });
    const bob = granary.session("work", { owner: "bob" });
    await bob.run("x = 1").result;
    await ada.run("y = 2", { reset: true, force: true }).result;
    const { output, ledger, notices } = await bob.run("'x' in globals(), y").result;
    expect(output).toBe("(False, 2)\n");
    expect(ledger).toEqual({ generation: 2, state: "restarted", reason: "A fresh kernel was asked for by ada." });
    expect(notices).toEqual([
      "Since your last call, ada ran 1 cell: y = 2",
      "Python was restarted: A fresh kernel was asked for by ada. Earlier variables are gone.",
    ]);
    expect((await bob.run("y").result).ledger).toEqual({ generation: 2, state: "alive", reason: null });
  });
});
