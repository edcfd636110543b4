import { tmpdir } from "node:os";
import type { Kernel } from "../../../src/kernel/kernel.ts";
import { run } from "../collect.ts";
import type { SharedKernels, StartChoices } from "../kernel-contract.ts";

/** What `%reset` does, with the counter back at one; and handlers of logging and `__future__`, which live in no variable. */
const forget =
  "__import__('logging').root.handlers.clear()\nget_ipython().compile.reset_compiler_flags()\nget_ipython().reset(new_session=True)";

/** Kernels that are used again after IPython has forgotten everything, because ipykernel needs most of a second to start. */
export class LentKernels implements SharedKernels {
  readonly #start: () => Promise<Kernel>;
  readonly #idle: Kernel[] = [];

  constructor(start: () => Promise<Kernel>) {
    this.#start = start;
  }

  async take({ cwd }: StartChoices): Promise<Kernel> {
    const kernel = this.#idle.pop() ?? (await this.#start());
    await run(kernel, "", { internal: true, cwd });
    return kernel;
  }

  async giveBack(kernel: Kernel): Promise<void> {
    const { outcome } = await run(kernel, forget, { internal: true, cwd: tmpdir() });
    if (outcome === "ok") this.#idle.push(kernel);
    else await kernel.close();
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((kernel) => kernel.close()));
  }
}
