import { expect, test } from "vitest";
import { KernelError } from "../../../../src/kernel/errors.ts";
import { newestPython, oldestPython } from "../../../environment/pythons.ts";
import { run } from "../../collect.ts";
import { startRunner } from "../start-runner.ts";

/** From some cell on, the runner writes the journal without a system call. */
const many = 30;

for (const { path, version } of [oldestPython(), newestPython()]) {
  test(`a cell that takes Python down is known to have begun, however many came before: Python ${version}`, async () => {
    for (const before of [0, many]) {
      await using kernel = await startRunner(path);
      for (let count = 0; count < before; count += 1) await run(kernel, "pass");
      const death = await run(kernel, "import os, signal; os.kill(os.getpid(), signal.SIGKILL)").catch(
        (error) => error,
      );
      expect(death).toBeInstanceOf(KernelError);
      expect(death.details).toMatchObject({ started: true });
    }
  });
}
