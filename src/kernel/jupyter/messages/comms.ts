import { isTooCostlyText } from "../../../support/json/costly-json.ts";
import { isTooDeepText } from "../../../support/json/deep-json.ts";
import type { JsonObject } from "../../../support/json/value.ts";
import type { KernelEvent, LargeContent } from "../../events.ts";

/** A message of a comm, by which widgets and their views in a front end of Jupyter's talk. */
export interface CommMessage {
  readonly type: "comm_open" | "comm_msg" | "comm_close";
  /** As in Jupyter's message of this type. */
  readonly content: JsonObject;
  readonly metadata: JsonObject;
  readonly buffers: readonly Uint8Array[];
}

/** The comms of a kernel. `ExecuteOptions.terms.comm` sends a message to one. */
export interface KernelComms {
  /** The target of each open comm, by its id; also while a cell runs. */
  list(signal?: AbortSignal): Promise<Readonly<Record<string, string>>>;
  /** Is called with the messages that threads and tasks send between two cells. */
  onLate(listener: (message: CommMessage) => void): void;
}

type CommEvent = Extract<KernelEvent, { type: "comm" }>;

/** The message with its large parts; null if they cannot be read, are nested too deeply to be passed on, or have too many values. */
export async function wholeComm({ message, large, lengths = [] }: CommEvent): Promise<CommMessage | null> {
  if (large === undefined) return message;
  const json = large.data && ((await bytesOf(large.data))?.toString("utf8") ?? null);
  const bytes = large.buffers && (await bytesOf(large.buffers));
  if (json === null || bytes === null || (json && (isTooDeepText(json) || isTooCostlyText(json)))) return null;
  const content = json ? { ...message.content, data: JSON.parse(json) } : message.content;
  return { ...message, content, buffers: bytes ? parted(bytes, lengths) : message.buffers };
}

function parted(bytes: Buffer, lengths: readonly number[]): readonly Uint8Array[] {
  let end = 0;
  return lengths.map((length) => {
    end += length;
    return bytes.subarray(end - length, end);
  });
}

async function bytesOf(content: LargeContent): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of content.chunks()) chunks.push(chunk);
  } catch {
    return null;
  }
  return Buffer.concat(chunks);
}
