import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "../../../support/files/atomic-write.ts";
import { whileHolding } from "../../../support/files/file-lock.ts";

/** The kernel's id on the gateway, by the name it was kept under. */
type KeptKernels = Readonly<Record<string, string>>;

/**
 * The kernels of a shared gateway that stay without a connection, so that a later process finds them again.
 * `sessions.json` in the gateway's folder, with the same protection as the token beside it.
 */
export class KeptKernelList {
  readonly #file: string;
  readonly #lock: string;

  constructor(folder: string) {
    this.#file = join(folder, "sessions.json");
    this.#lock = join(folder, "sessions.lock");
  }

  /** Two callers that ask for a name at once get the same kernel: `choose` gets the old id and returns the new one. */
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
      return {}; // missing, or unreadable
    }
  }

  #write(kernels: KeptKernels): Promise<void> {
    return writeFileAtomically(this.#file, `${JSON.stringify(kernels, null, 2)}\n`, { mode: 0o600 });
  }
}
