import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "../../../support/files/atomic-write.ts";
import { whileHolding } from "../../../support/files/file-lock.ts";

/** By the name that a kernel was kept under, its id on the gateway. */
type KeptKernels = Readonly<Record<string, string>>;

/**
 * Which kernels of a shared gateway stay when nobody is connected to them, so that a later process finds them again.
 * `sessions.json` in the gateway's folder; whoever could read it could read the token beside it, too.
 */
export class KeptKernelList {
  readonly #file: string;
  readonly #lock: string;

  constructor(folder: string) {
    this.#file = join(folder, "sessions.json");
    this.#lock = join(folder, "sessions.lock");
  }

  /** Two who ask for the same name at once get the same kernel: `choose` is handed the id there was, and says which it is now. */
  update<T extends { readonly id: string }>(
    name: string,
    signal: AbortSignal | undefined,
    choose: (id: string | null) => Promise<T>,
  ): Promise<T> {
    return whileHolding(this.#lock, { signal }, async () => {
      const kernels = await this.#read();
      const chosen = await choose(kernels[name] ?? null);
      if (chosen.id !== kernels[name]) await this.#write({ ...kernels, [name]: chosen.id });
      return chosen;
    });
  }

  async #read(): Promise<KeptKernels> {
    try {
      const found: unknown = JSON.parse(await readFile(this.#file, "utf8"));
      const entries = typeof found === "object" && found !== null ? Object.entries(found) : [];
      return Object.fromEntries(entries.filter(([, id]) => typeof id === "string"));
    } catch {
      return {}; // none, or nothing that could be used
    }
  }

  #write(kernels: KeptKernels): Promise<void> {
    return writeFileAtomically(this.#file, `${JSON.stringify(kernels, null, 2)}\n`, { mode: 0o600 });
  }
}
