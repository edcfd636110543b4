import { isTooDeep } from "../../support/json/deep-json.ts";
import type { JsonObject } from "../../support/json/value.ts";
import { dropEvent } from "../cell-events.ts";
import type { KernelEvent } from "../events.ts";
import { type CommMessage, type KernelComms, wholeComm } from "../jupyter/messages/comms.ts";
import type { ControlFrame, Frame } from "./wire/frames.ts";

type CommEvent = Extract<KernelEvent, { type: "comm" }>;
type CommListing = Extract<ControlFrame, { t: "comms" }>;

/** The comms of a runner: Python keeps them, and answers about them beside a running cell. */
export class RunnerComms implements KernelComms {
  readonly #ask: (signal?: AbortSignal) => Promise<unknown>;
  readonly #listeners: ((message: CommMessage) => void)[] = [];
  /** Null while nothing is being read: a message must not overtake one that comes from a file. */
  #reading: Promise<void> | null = null;

  constructor(ask: (signal?: AbortSignal) => Promise<unknown>) {
    this.#ask = ask;
  }

  async list(signal?: AbortSignal): Promise<Readonly<Record<string, string>>> {
    return ((await this.#ask(signal)) as CommListing).comms;
  }

  onLate(listener: (message: CommMessage) => void): void {
    this.#listeners.push(listener);
  }

  /** From a thread or a task, between two cells. Settles when the message has been passed on. */
  async takeLate(event: CommEvent): Promise<void> {
    if (this.#listeners.length === 0) return dropEvent(event);
    if (this.#reading === null && event.large === undefined) return this.#tell(event.message);
    const reading = (this.#reading ?? Promise.resolve())
      .then(() => wholeComm(event))
      .then((message) => {
        dropEvent(event);
        if (message !== null) this.#tell(message);
        if (this.#reading === reading) this.#reading = null;
      });
    this.#reading = reading;
    await reading;
  }

  #tell(message: CommMessage): void {
    for (const listener of this.#listeners) listener(message);
  }
}

/** The frame is from our runner, but its data is from the user's code. */
export function commOf({ type, content, metadata, buffers, lengths, large }: CommFrame): CommEvent {
  const isDeep = isTooDeep(content) || isTooDeep(metadata);
  const message: CommMessage = {
    type,
    content: isDeep ? withoutData(content) : content,
    metadata: isDeep ? {} : metadata,
    buffers: (buffers ?? []).map((text) => Buffer.from(text, "base64")),
  };
  return { type: "comm", message, ...(large && { large }), ...(lengths && { lengths }) };
}

type CommFrame = Extract<Frame, { t: "comm" }>;

function withoutData({ data: _, ...rest }: JsonObject): JsonObject {
  return { ...rest, data: {} };
}

/** For a request to the runner. */
export function encodeComm({ type, content, metadata, buffers }: CommMessage): JsonObject {
  const encoded = buffers.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString("base64"));
  return { type, content, metadata, ...(encoded.length > 0 && { buffers: encoded }) };
}
