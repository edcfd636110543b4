import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Composer } from "../../../src/kernel/jupyter/messages/compose.ts";
import type { JupyterMessage } from "../../../src/kernel/jupyter/messages/message.ts";
import { decodeMultipart, encodeMultipart } from "../../../src/kernel/zmq/multipart.ts";
import { Signature } from "../../../src/kernel/zmq/signature.ts";
import type { JsonObject } from "../../../src/support/json/value.ts";
import { environment } from "../../environment/pythons.ts";

const found = environment("main");
const python = "python" in found ? found.python : "";
const key = "a-key";
const signature = new Signature(key);
const composer = new Composer("a-session");

describe("a message on its way over ZeroMQ", () => {
  const content = fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue()) as fc.Arbitrary<JsonObject>;

  test("comes back unchanged", () => {
    fc.assert(
      fc.property(content, fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 3 }), (value, buffers) => {
        const message = { ...composer.compose("shell", "any", jsonOf(value)), buffers };
        const back = decodeMultipart("shell", framesOf(message), signature);
        expect(back).toEqual({ ...message, buffers: buffers.map((buffer) => Buffer.from(buffer)) });
      }),
    );
  });

  test("is refused without the right key, and after a change of one byte", () => {
    const frames = framesOf(composer.compose("shell", "execute_request", { code: "1" }));
    expect(decodeMultipart("shell", frames, new Signature("another-key"))).toBe(null);
    expect(decodeMultipart("shell", frames, new Signature(""))).toBe(null);
    for (let index = 1; index < frames.length; index++) {
      const forged = frames.map((frame) => Buffer.from(frame));
      (forged[index] as Buffer)[0] = ((forged[index] as Buffer)[0] as number) ^ 1;
      expect(decodeMultipart("shell", forged, signature)).toBe(null);
    }
  });

  test("that is malformed in any way is refused", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 9 }), (frames) => {
        const asBuffers = frames.map((frame) => Buffer.from(frame));
        expect(decodeMultipart("iopub", asBuffers, signature)).toBe(null);
        expect(decodeMultipart("iopub", [Buffer.from("<IDS|MSG>"), ...asBuffers], new Signature(""))).toBe(null);
      }),
    );
  });

  test.skipIf(python === "")("is understood by jupyter_client, and the other way round", () => {
    const parent = composer.compose("shell", "execute_request", {});
    const contents = fc.sample(content.map(jsonOf), { numRuns: 50, seed: 1 });
    const messages = contents.map((value) => ({
      ...composer.compose("stdin", "input_reply", value, parent.header),
      buffers: [Buffer.from("00ff", "hex")],
    }));
    const answers = askJupyter(messages.map(framesOf));
    answers.forEach((answer, index) => {
      const expected = { type: "input_reply", parent: parent.header.msg_id, buffers: ["00ff"] };
      expect(answer).toMatchObject(expected);
      expect(answer.content).toEqual(contents[index]);
      const back = decodeMultipart(
        "shell",
        answer.answer.map((frame) => Buffer.from(frame, "base64")),
        signature,
      );
      expect(back?.header.msg_type).toBe("echo");
      expect(back?.content).toEqual(contents[index]);
      expect(back?.parentHeader.msg_id).toBe(messages[index]?.header.msg_id);
    });
  });
});

function framesOf(message: JupyterMessage): Buffer[] {
  return encodeMultipart(message, signature).map((frame) => Buffer.from(frame));
}

/** As JSON has it: -0 is 0. */
function jsonOf(value: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(value));
}

interface Answer {
  readonly content: unknown;
  readonly answer: readonly string[];
}

function askJupyter(messages: readonly (readonly Buffer[])[]): Answer[] {
  const script = fileURLToPath(new URL("session.py", import.meta.url));
  const input = messages.map((frames) => JSON.stringify(frames.map((frame) => frame.toString("base64")))).join("\n");
  const said = execFileSync(python, [script, key], { input, encoding: "utf8", maxBuffer: 100_000_000 });
  return said
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
