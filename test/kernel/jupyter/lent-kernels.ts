import { tmpdir } from "node:os";
import type { Kernel } from "../../../src/kernel/kernel.ts";
import { run } from "../collect.ts";
import type { SharedKernels, StartChoices } from "../kernel-contract.ts";

/**
 * What `%reset` does, with the counter back at one; and handlers of logging and `__future__`, which live in no variable.
 * `%reset` collects garbage several times, which takes a quarter of a second once pandas is loaded, so objects that have
 * outlived one collection are left out of the next.
 */
const forget = [
  "__import__('logging').root.handlers.clear()",
  "get_ipython().compile.reset_compiler_flags()",
  "get_ipython().reset(new_session=True)",
  "__import__('gc').freeze()",
].join("\n");

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
