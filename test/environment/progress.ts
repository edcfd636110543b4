import type { Reporter } from "vitest/node";
import { say } from "../../scripts/repository.mjs";

/** Fewer files than this are done before anybody asks how far they are. */
const worthTelling = 20;

/** Says how far a large run is, once every tenth of its files. At a terminal, vitest's own reporter shows it all the time. */
export default class Progress implements Reporter {
  readonly #tell: (sentence: string) => void;
  #files = 0;
  #done = 0;
  #failed = 0;

  constructor({ tell }: { tell?: (sentence: string) => void } = {}) {
    this.#tell = tell ?? (process.stdout.isTTY ? () => {} : say);
  }

  onTestRunStart(files: readonly unknown[]): void {
    this.#files = files.length;
    if (this.#files >= worthTelling) this.#tell(`testing ${this.#files} files…`);
  }

  onTestModuleEnd(file: { ok(): boolean }): void {
    const tenth = (): number => Math.floor((this.#done * 10) / this.#files);
    const before = tenth();
    this.#done++;
    if (!file.ok()) this.#failed++;
    if (this.#files < worthTelling || tenth() === before) return;
    const failed = this.#failed === 0 ? "" : `, ${this.#failed} of them failed`;
    this.#tell(`tested ${this.#done} of ${this.#files} files${failed}`);
  }
}
