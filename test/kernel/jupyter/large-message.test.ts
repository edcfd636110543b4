import { describe, expect, test } from "vitest";
import type { KernelEvent } from "../../../src/kernel/events.ts";
import { v1Codec } from "../../../src/kernel/gateway/websocket/websocket-codec.ts";
import { largestParsed } from "../../../src/kernel/jupyter/messages/large-message.ts";
import type { JupyterMessage } from "../../../src/kernel/jupyter/messages/message.ts";
import { toEvent } from "../../../src/kernel/jupyter/messages/to-event.ts";
import { readContent } from "../../../src/kernel/large-content.ts";
import { decodeMultipart } from "../../../src/kernel/zmq/multipart.ts";
import { Signature } from "../../../src/kernel/zmq/signature.ts";
import type { JsonObject } from "../../../src/support/json/value.ts";

const headerOf = (type: string) => ({
  msg_id: "1",
  session: "s",
  username: "",
  date: "",
  msg_type: type,
  version: "5.4",
});

/** A message as each of the two transports reads it, from the bytes of its content. */
function* received(type: string, content: Buffer): Generator<JupyterMessage> {
  const parts = [headerOf(type), {}, {}].map((part) => Buffer.from(JSON.stringify(part)));
  const signature = new Signature("");
  const zmq = decodeMultipart("iopub", [Buffer.from("<IDS|MSG>"), Buffer.alloc(0), ...parts, content], signature);
  if (zmq !== null) yield zmq;
  const bytes = [Buffer.from("iopub"), ...parts, content];
  const table = Buffer.alloc(8 * (bytes.length + 2));
  table.writeBigUInt64LE(BigInt(bytes.length + 1), 0);
  let at = table.length;
  for (const [index, part] of [...bytes, Buffer.alloc(0)].entries()) {
    table.writeBigUInt64LE(BigInt(at), 8 * (index + 1));
    at += part.length;
  }
  yield v1Codec.decode(Buffer.concat([table, ...bytes]));
}

const long = "x".repeat(largestParsed);

describe("a message of Jupyter's that is too large to be parsed", () => {
  test("of a result is named, and can be kept whole", async () => {
    const content = Buffer.from(`{"data": {"text/plain": "${long}"}, "metadata": {}, "execution_count": 3}`);
    for (const message of received("execute_result", content)) {
      const event = toEvent(message) as Extract<KernelEvent, { type: "display" }>;
      expect(event.data["text/plain"]).toBe(
        "[The kernel sent 100 MB in one message (execute_result), which is not shown. Print less, or write a file.]",
      );
      const [kept] = Object.values(event.large ?? {});
      expect(kept && (await readContent(kept, 1e9)) === content.toString()).toBe(true);
    }
  });

  test("of an exception still names it", () => {
    const content = Buffer.from(`{"traceback": ["${long}"], "ename": "ValueError", "evalue": "${long}"}`);
    for (const message of received("error", content))
      expect(toEvent(message)).toMatchObject({
        type: "error",
        name: "ValueError",
        traceback: [expect.stringContaining("200 MB")],
      });
  });

  test("that is a reply still says how the request ended", () => {
    const content = Buffer.from(
      `{"status": "error", "traceback": ["${long}"], "ename": "KeyError", "execution_count": 7}`,
    );
    for (const message of received("execute_reply", content))
      expect(message.content).toMatchObject({ status: "error", ename: "KeyError", execution_count: 7 });
  });
});

test("JSON that is nested too deeply leaves the event's data as text", async () => {
  for (const depth of [3_000, 100_000]) {
    const text = "[".repeat(depth) + "]".repeat(depth);
    const content = {
      data: { "application/json": JSON.parse(text) },
      metadata: { deep: JSON.parse(text) },
    } as JsonObject;
    const message = {
      channel: "iopub",
      header: headerOf("display_data"),
      parentHeader: {},
      metadata: {},
      content,
      buffers: [],
    } as const;
    const event = toEvent(message) as Extract<KernelEvent, { type: "display" }>;
    expect(event.data).toEqual({});
    const kept = event.large?.["application/json"];
    expect(kept && (await readContent(kept, 1e9)) === text).toBe(true);
    expect(event.metadata.deep === text).toBe(true);
  }
});
