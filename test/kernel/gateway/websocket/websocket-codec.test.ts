import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { legacyCodec, v1Codec } from "../../../../src/kernel/gateway/websocket/websocket-codec.ts";
import type { JupyterMessage } from "../../../../src/kernel/jupyter/messages/message.ts";
import { py } from "../../py.ts";
import { describeWithJupyter } from "../jupyter-python.ts";

const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4, noNullPrototype: true });
const header = fc.record({
  msg_id: fc.string({ minLength: 1 }),
  session: fc.string(),
  username: fc.string(),
  date: fc.constant("2026-01-02T03:04:05.678901Z"),
  msg_type: fc.constantFrom("stream", "display_data", "comm_msg"),
  version: fc.constant("5.4"),
});
const message = fc.record({
  channel: fc.constantFrom("shell", "control", "stdin", "iopub"),
  header,
  parentHeader: fc.oneof(header, fc.constant({})),
  metadata: json,
  content: json,
  buffers: fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 3 }),
}) as fc.Arbitrary<JupyterMessage>;

const codecs = { v1: v1Codec, legacy: legacyCodec } as const;

describe.each(["v1", "legacy"] as const)("the %s framing", (name) => {
  const codec = codecs[name];

  test("gives back the message that was put in", () => {
    fc.assert(
      fc.property(message, (original) => {
        const { buffers, ...rest } = codec.decode(codec.encode(original));
        expect({ ...rest, buffers: buffers.map((buffer) => Uint8Array.from(buffer)) }).toEqual(asJson(original));
      }),
    );
  });

  test("refuses any input that is no message with an error, and never with anything else", () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), fc.string(), damaged(name)), (data) => {
        try {
          codec.decode(data);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
    );
  });

  test("refuses a message that was cut off", () => {
    // The older one does not say where its last buffer ends.
    const whole = codec.encode(name === "v1" ? sample : { ...sample, buffers: [] });
    for (let length = 0; length < whole.length; length++) {
      expect(() => codec.decode(whole.slice(0, length))).toThrow();
    }
  });
});

test("the legacy framing is text where there are no buffers", () => {
  expect(typeof legacyCodec.encode({ ...sample, buffers: [] })).toBe("string");
  expect(legacyCodec.encode(sample)).toBeInstanceOf(Uint8Array);
});

test("a message that claims billions of parts is refused before anything is made for them", () => {
  const claim = new Uint8Array(64).fill(0xff);
  claim.set([0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0]);
  expect(() => v1Codec.decode(claim)).toThrow("shorter than its table");
  expect(() => legacyCodec.decode(claim)).toThrow("shorter than its table");
});

describeWithJupyter("jupyter_server", (python) => {
  test("reads what we write and writes what we read, in both framings", () => {
    const messages = fc.sample(message, { numRuns: 60, seed: 1 });
    const lines = messages.map(({ channel, buffers, ...rest }) => {
      const original: JupyterMessage = { channel, buffers, ...rest };
      return JSON.stringify({ v1: hex(v1Codec.encode(original)), legacy: legacyOf(original) });
    });
    const answers = execFileSync(python, ["-c", echo], { input: lines.join("\n"), encoding: "utf8" })
      .trim()
      .split("\n");
    expect(answers.length).toBe(messages.length);
    answers.forEach((line, index) => {
      const { v1, legacy } = JSON.parse(line);
      const expected = asJson(messages[index] as JupyterMessage);
      expect(plain(v1Codec.decode(Buffer.from(v1, "hex")))).toEqual(expected);
      const legacyData = legacy.text ?? Buffer.from(legacy.hex, "hex");
      expect(plain(legacyCodec.decode(legacyData))).toEqual(expected);
    });
  });
});

/** Parses each message with jupyter_server's own functions, and builds it again with them. */
const echo = py`
  import json, sys
  from jupyter_server.services.kernels.connection.base import (
      deserialize_binary_message, deserialize_msg_from_ws_v1, serialize_binary_message, serialize_msg_to_ws_v1)
  for line in sys.stdin:
      given = json.loads(line)
      channel, parts = deserialize_msg_from_ws_v1(bytes.fromhex(given["v1"]))
      for part in parts[:4]:
          json.loads(part)
      v1 = serialize_msg_to_ws_v1(parts, channel).hex()
      if "hex" in given["legacy"]:
          message = deserialize_binary_message(bytes.fromhex(given["legacy"]["hex"]))
          legacy = {"hex": serialize_binary_message(message).hex()}
      else:
          message = json.loads(given["legacy"]["text"])
          legacy = {"text": json.dumps(message)}
      print(json.dumps({"v1": v1, "legacy": legacy}))
`;

const sample: JupyterMessage = {
  channel: "iopub",
  header: { msg_id: "1", session: "s", username: "u", date: "d", msg_type: "stream", version: "5.4" },
  parentHeader: {},
  metadata: {},
  content: { text: "grüße" },
  buffers: [Uint8Array.of(1, 2, 3)],
};

/** A message in which one byte was changed. */
function damaged(name: keyof typeof codecs): fc.Arbitrary<Uint8Array> {
  return fc.tuple(message, fc.nat(), fc.nat(255)).map(([original, at, byte]) => {
    const data = Uint8Array.from(Buffer.from(codecs[name].encode({ ...original, buffers: [Uint8Array.of(1)] })));
    data[at % data.length] = byte;
    return data;
  });
}

/** As JSON leaves it: -0 becomes 0. */
function asJson({ buffers, ...rest }: JupyterMessage): JupyterMessage {
  return { ...JSON.parse(JSON.stringify(rest)), buffers };
}

function plain({ buffers, ...rest }: JupyterMessage): JupyterMessage {
  return { ...rest, buffers: buffers.map((buffer) => Uint8Array.from(buffer)) };
}

function hex(data: string | Uint8Array): string {
  return Buffer.from(data as Uint8Array).toString("hex");
}

function legacyOf(original: JupyterMessage): { text: string } | { hex: string } {
  const data = legacyCodec.encode(original);
  return typeof data === "string" ? { text: data } : { hex: hex(data) };
}
