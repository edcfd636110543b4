import type { JupyterMessage } from "../../jupyter/messages/message.ts";

/** How many ids are kept to recognise duplicates in the replay after a reconnect. */
const remembered = 10_000;
/** A leap too large for a loss: the kernel numbers its messages in another way, or is another kernel. */
const longestLeap = 1_000_000;

/**
 * Tracks the messages of a kernel, so that missing ones are known after an interruption. Kernels on
 * Jupyter's own library, such as ipykernel, end the id of each message with a number that goes up by one.
 */
export class Arrivals {
  readonly #ownSession: string;
  readonly #ids = new Set<string>();
  readonly #absent = new Set<number>();
  #numbering: { readonly prefix: string; highest: number } | null = null;

  constructor(ownSession: string) {
    this.#ownSession = ownSession;
  }

  /** Whether the message is new; false for a duplicate. */
  note({ header: { msg_id, session } }: JupyterMessage): boolean {
    if (this.#ids.has(msg_id)) return false;
    this.#ids.add(msg_id);
    if (this.#ids.size > remembered) this.#ids.delete(this.#ids.values().next().value as string);
    // The server writes some messages itself, in the name of our session; the kernel did not number those.
    if (session !== this.#ownSession) this.#noteNumber(msg_id);
    return true;
  }

  /** Messages missing so far were for other clients, or are not worth waiting for. */
  forgetAbsent(): void {
    this.#absent.clear();
  }

  /** How many messages before these are missing; null when the kernel does not number them. */
  countAbsentBefore(ids: readonly string[]): number | null {
    const numbers = ids.map((id) => numberIn(id)?.number);
    if (this.#numbering === null || numbers.includes(undefined)) return null;
    const last = Math.max(...(numbers as number[]));
    return [...this.#absent].filter((number) => number < last).length;
  }

  #noteNumber(id: string): void {
    const found = numberIn(id);
    if (found === null) return;
    const { prefix, number } = found;
    if (this.#numbering?.prefix !== prefix) {
      this.#numbering = { prefix, highest: number };
      return;
    }
    const { highest } = this.#numbering;
    if (number < highest) return void this.#absent.delete(number);
    if (number - highest > longestLeap) return;
    for (let between = highest + 1; between < number; between++) this.#absent.add(between);
    this.#numbering.highest = number;
  }
}

/** `<session>_<process>_<number>` */
function numberIn(id: string): { readonly prefix: string; readonly number: number } | null {
  const match = /^(.+_\d+)_(\d+)$/.exec(id);
  return match ? { prefix: match[1] as string, number: Number(match[2]) } : null;
}
