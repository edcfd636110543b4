import type { Kernel } from "../../../src/kernel/kernel.ts";
import { run } from "../collect.ts";
import type { StartChoices } from "../kernel-contract.ts";

/**
 * Hands out kernels that have been started before anybody asked, because ipykernel needs most of a second for it. Each is
 * used once. A test that chooses more than its folder waits for one of its own.
 */
export class KernelReserve {
  readonly #start: () => Promise<Kernel>;
  readonly #ready: Promise<Kernel>[] = [];
  readonly #size: number;

  constructor(start: () => Promise<Kernel>, size = 1) {
    this.#start = start;
    this.#size = size;
  }

  async take({ cwd }: StartChoices): Promise<Kernel> {
    const kernel = await (this.#ready.shift() ?? this.#start());
    while (this.#ready.length < this.#size) {
      const next = this.#start();
      next.catch(() => undefined); // reported to the test that takes it
      this.#ready.push(next);
    }
    await run(kernel, "", { internal: true, cwd });
    return kernel;
  }

  async close(): Promise<void> {
    await Promise.all(this.#ready.splice(0).map((kernel) => kernel.then((it) => it.close())));
  }
}
