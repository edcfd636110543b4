import { expect, test } from "vitest";
import { newestPython, oldestPython } from "../../../environment/pythons.ts";
import { printed, runAndWhenReady } from "../../collect.ts";
import { startRunner } from "../start-runner.ts";

for (const { path, version } of [oldestPython(), newestPython()]) {
  test(`an interrupt is shown at the user's line, and no time goes into Granary's own: Python ${version}`, async () => {
    await using kernel = await startRunner(path);
    const code = "def spin():\n    print('ready', flush=True)\n    while True: pass\nspin()";
    const { outcome, error } = await runAndWhenReady(kernel, code, () => void kernel.interrupt());
    expect(outcome).toBe("interrupted");
    expect(error?.traceback).toContain("in spin");
    expect(error?.traceback.trimEnd().split("\n").at(-1)).toBe("KeyboardInterrupt");
    expect(error?.traceback).not.toContain("granary_runner");
    const lookedUp = "import linecache\nprint([name for name in linecache.cache if 'granary_runner' in name])";
    expect(await printed(kernel, lookedUp)).toBe("[]\n");
  });

  test(`what an interrupt was raised during is shown with it: Python ${version}`, async () => {
    await using kernel = await startRunner(path);
    const code = "try:\n    {}['missing']\nexcept KeyError:\n    print('ready', flush=True)\n    while True: pass";
    const { error } = await runAndWhenReady(kernel, code, () => void kernel.interrupt());
    expect(error?.traceback).toContain("KeyError: 'missing'");
    expect(error?.traceback).toContain("During handling of the above exception");
    expect(error?.traceback).not.toContain("granary_runner");
  });
}
