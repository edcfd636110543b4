import type { JsonObject } from "../../../support/json/value.ts";
import type { KernelEvent, LargeContent } from "../../events.ts";

/**
 * Contents of more bytes than this are not parsed: that would take several times their size, and block the event loop.
 * Jupyter sends an output in one message, so it is in memory already; it stays there as bytes, in one piece.
 * As much as a notebook keeps of a cell (`notebook.maxCellMegabytes`).
 */
export const largestParsed = 100_000_000;

/** The part of such content that is known without parsing: for a reply, how the request ended. */
export function glanceAt(content: Uint8Array): JsonObject {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  // Within a string its quotes would be escaped, so a key that is found is one.
  const after = (key: string): string => {
    const at = bytes.indexOf(`"${key}":`);
    return at === -1 ? "" : bytes.toString("latin1", at + key.length + 3, at + key.length + glanceBytes).trimStart();
  };
  const text = (key: string): string | undefined => /^"([\w.-]{1,100})"/.exec(after(key))?.[1];
  const count = /^\d{1,9}\b/.exec(after("execution_count"))?.[0];
  const [status, ename, name] = [text("status"), text("ename"), text("name")];
  return {
    ...(status !== undefined && { status }),
    ...(ename !== undefined && { ename }),
    ...(name !== undefined && { name }),
    ...(count !== undefined && { execution_count: Number(count) }),
    evalue: "",
    traceback: [],
  };
}

const glanceBytes = 200;

/** Shown in place of a message that was not parsed. All of it can be kept. */
export function unreadEvent(type: string, glance: JsonObject, content: Uint8Array): KernelEvent {
  const size = `${Math.round(content.byteLength / 1_000_000)} MB`;
  const large: LargeContent = {
    isJson: true,
    bytes: content.byteLength,
    problem: null,
    async *chunks() {
      for (let at = 0; at < content.byteLength; at += chunkBytes) yield content.subarray(at, at + chunkBytes);
    },
  };
  if (type === "error") {
    const name = typeof glance.ename === "string" ? glance.ename : "Error";
    const message = `<its message and traceback have ${size}>`;
    return { type: "error", name, message, traceback: [`${name}: ${message}`], large };
  }
  const text = `[The kernel sent ${size} in one message (${type}), which is not shown. Print less, or write a file.]`;
  return {
    type: "display",
    data: { "text/plain": text },
    metadata: {},
    large: { "application/vnd.jupyter.message+json": large },
    update: false,
  };
}

const chunkBytes = 256 * 1024;
