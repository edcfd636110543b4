import { EventQueue } from "../support/event-queue.ts";
import { jsonLength } from "../support/json/deep-json.ts";
import type { KernelEvent, LargeContent } from "./events.ts";
import type { CommMessage } from "./jupyter/messages/comms.ts";

/** Content in a file that is deleted on release. */
interface ContentInFile extends LargeContent {
  release(): void;
}

export interface CellEventsOptions {
  /** In characters: above this, the kernel has to wait. */
  readonly limit: number;
  /** The same limit for a cell that must get to its end, even if its consumer is behind. */
  readonly lastLimit: number;
  /** How much of the limit a file of so many bytes takes. */
  readonly weighFile: (bytes: number) => number;
  /** The consumer is behind (true), or has caught up (false). */
  readonly onPressure: (full: boolean) => void;
}

/** The events of one cell on their way to its consumer, and the files of events that the consumer has not passed. */
export class CellEvents {
  readonly #queue: EventQueue<KernelEvent>;
  readonly #lastLimit: number;
  readonly #files = new Set<ContentInFile>();
  #filesOfLast: readonly ContentInFile[] = [];
  #isAbandoned = false;

  constructor({ limit, lastLimit, weighFile, onPressure }: CellEventsOptions) {
    this.#lastLimit = lastLimit;
    this.#queue = new EventQueue({
      limit,
      weigh: (event) => weigh(event, weighFile),
      onPressure,
      onTaken: (event) => {
        this.#filesOfLast = filesOf(event);
      },
    });
  }

  push(event: KernelEvent): void {
    for (const file of filesOf(event)) this.#files.add(file);
    this.#queue.push(event);
    if (this.#isAbandoned) this.releaseFiles();
  }

  next(): Promise<IteratorResult<KernelEvent, undefined>> {
    if (this.#filesOfLast.length > 0) this.#release(this.#filesOfLast);
    return this.#queue.next();
  }

  /** The cell must get to its end now, even if its consumer is behind. */
  hurry(): void {
    this.#queue.extend(this.#lastLimit);
  }

  /** The consumer has left. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#queue.abandon();
    this.releaseFiles();
  }

  end(error?: Error): void {
    this.#queue.end(error);
  }

  /** The consumer asks for no more events. */
  releaseFiles(): void {
    this.#release([...this.#files]);
  }

  #release(files: readonly ContentInFile[]): void {
    for (const file of files) {
      file.release();
      this.#files.delete(file);
    }
  }
}

/** Releases the files of an event that is not delivered. */
export function dropEvent(event: KernelEvent): void {
  for (const file of filesOf(event)) file.release();
}

const none: readonly ContentInFile[] = [];

function filesOf(event: KernelEvent): readonly ContentInFile[] {
  if (!("large" in event) || event.large === undefined) return none;
  const contents: readonly LargeContent[] = event.type === "error" ? [event.large] : Object.values(event.large);
  return contents.filter(isInFile);
}

function isInFile(content: LargeContent): content is ContentInFile {
  return "release" in content;
}

function weighComm({ content, buffers }: CommMessage): number {
  return buffers.reduce((sum, { length }) => sum + length, jsonLength(content));
}

/** About how much memory an event takes; only some kinds can be large. */
function weigh(event: KernelEvent, weighFile: (bytes: number) => number): number {
  if (event.type === "stream") return event.text.length;
  if (event.type !== "display" && event.type !== "result" && event.type !== "comm") return 0;
  let weight = event.type === "comm" ? weighComm(event.message) : 0;
  for (const content of event.type === "comm" ? [] : Object.values(event.data)) {
    weight += typeof content === "string" ? content.length : jsonLength(content);
  }
  if (event.large === undefined) return weight;
  for (const content of Object.values(event.large)) {
    weight += isInFile(content) ? weighFile(content.bytes) : content.bytes;
  }
  return weight;
}
