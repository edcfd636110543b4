/**
 * Work between two cells that the second need not wait for: it is done while Python runs that one, and before its first event.
 * The request goes out on the way back to the event loop.
 */
export class PutOff {
  #work: (() => void) | null = null;
  #turn: NodeJS.Immediate | undefined;

  putOff(work: () => void): void {
    this.doNow();
    this.#work = work;
    this.#turn = setImmediate(() => {
      try {
        this.doNow();
      } catch (error) {
        // For the run, not for the process.
        this.#work = () => {
          throw error;
        };
      }
    });
  }

  doNow(): void {
    const work = this.#work;
    if (work === null) return;
    clearImmediate(this.#turn);
    this.#work = null;
    work();
  }
}
