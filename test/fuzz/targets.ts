import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { WellFormedLines } from "../../src/hosts/mcp/well-formed-lines.ts";
import { HubFrameReader } from "../../src/hub/wire/frames.ts";
import { legacyCodec, v1Codec } from "../../src/kernel/gateway/websocket/websocket-codec.ts";
import type { JupyterMessage } from "../../src/kernel/jupyter/messages/message.ts";
import { toCompleteness, toCompletion } from "../../src/kernel/jupyter/messages/to-completion.ts";
import { pagesOf, toEvent } from "../../src/kernel/jupyter/messages/to-event.ts";
import { RunnerKernel } from "../../src/kernel/runner/runner-kernel.ts";
import { decodeFrame } from "../../src/kernel/runner/wire/frames.ts";
import { LineSplitter } from "../../src/kernel/runner/wire/line-splitter.ts";
import { decodeMultipart } from "../../src/kernel/zmq/multipart.ts";
import { Signature } from "../../src/kernel/zmq/signature.ts";
import { checkReady, decodeCommand, pong } from "../../src/kernel/zmq/zmtp/commands.ts";
import { FrameReader } from "../../src/kernel/zmq/zmtp/frames.ts";
import { checkGreeting } from "../../src/kernel/zmq/zmtp/greeting.ts";
import { editNotebook } from "../../src/notebook/edit/edit-notebook.ts";
import { parseNotebook } from "../../src/notebook/parse/parse-notebook.ts";
import { cellText } from "../../src/notebook/text/cell-text.ts";
import { withCellText } from "../../src/notebook/text/write-cell-text.ts";
import { htmlToMarkdown } from "../../src/output/html/html-to-markdown.ts";
import { safeHtml } from "../../src/output/html/safe-html.ts";
import { fitPicture, pictureLimits } from "../../src/output/pictures/fit-picture.ts";
import { ScreenLines } from "../../src/output/terminal/screen-lines.ts";
import { VtParser } from "../../src/output/terminal/vt-parser.ts";
import { fromFile } from "../../src/settings/sources/from-file.ts";
import type { SeededRandom } from "../chaos/random.ts";
import { SilentRunner } from "../kernel/runner/silent-runner.ts";
import { inRandomChunks, mutated, mutatedValue } from "./mutations.ts";
import * as samples from "./samples.ts";

/** One case; an exception that is not a refusal is a finding. */
type Target = (random: SeededRandom) => unknown;

const unsigned = new Signature("");
const largest = 1_000_000;

/** Everything that reads bytes or values of others. */
export const targets: Readonly<Record<string, Target>> = {
  "frames of the runner": (random) => {
    const lines = new LineSplitter((line) => void attempt(() => decodeFrame(line)));
    for (const chunk of inRandomChunks(mutated(samples.runnerFrames, random), random)) lines.push(chunk);
  },
  "a kernel between its cells": async (random) => {
    const runner = new SilentRunner();
    const kernel = new RunnerKernel(runner.process, samples.hello, {
      graceMs: 1000,
      onHostCall: async () => ({ text: "x" }),
    });
    kernel.onLateDisplay((event) => JSON.stringify(event));
    kernel.comms.onLate((message) => JSON.stringify(message));
    const rejections: unknown[] = [];
    const note = (reason: unknown): unknown => rejections.push(reason);
    process.on("unhandledRejection", note);
    try {
      for (let times = random.between(1, 4); times > 0; times--) {
        const channel = random.pick(["frames", "control", "interrupts"] as const);
        const frame = mutatedValue(random.pick(samples.lateFrames), random);
        runner[channel].say(`${JSON.stringify(frame) ?? ""}\n`);
      }
      for (let turn = 0; turn < 5; turn++) await setImmediate();
      runner.exit();
      await kernel.exited;
      await setImmediate();
    } finally {
      process.off("unhandledRejection", note);
    }
    if (rejections.length > 0) throw rejections[0];
  },
  "WebSocket messages": (random) => {
    const codec = random.pick([v1Codec, legacyCodec]);
    const bytes = mutated(samples.webSocketMessages, random);
    const message = anyAttempt(() => codec.decode(random.chance(0.3) ? bytes.toString() : bytes));
    if (message !== null) useMessage(message);
  },
  "bytes of ZeroMQ": (random) => {
    const bytes = mutated(samples.zmtpBytes, random);
    attempt(() => checkGreeting(bytes));
    const reader = new FrameReader(largest);
    attempt(() => {
      for (const chunk of inRandomChunks(bytes, random)) {
        reader.push(chunk);
        for (let frame = reader.next(); frame !== undefined; frame = reader.next()) {
          const { body } = frame;
          attempt(() => checkReady(decodeCommand(body), "DEALER"));
          attempt(() => pong(decodeCommand(body)));
        }
      }
    });
  },
  "messages of Jupyter": (random) => {
    const parts = random.pick(samples.jupyterMessages).map((part) => mutatedPart(part, random));
    const frames = random.chance(0.1) ? parts.slice(random.between(0, parts.length)) : parts;
    const message = decodeMultipart("iopub", frames, unsigned);
    if (message !== null) useMessage(message);
  },
  notebooks: (random) => {
    const notebook = attempt(() => parseNotebook(mutated(samples.notebooks, random)));
    if (notebook === null) return;
    attempt(() => cellText(notebook, { outputCharacters: 100 }));
    attempt(() => editNotebook(notebook, [{ action: "insert", at: 0, cellType: "code", content: "1" }]));
  },
  "cell text": (random) => {
    const notebook = parseNotebook(samples.notebooks[0] as Buffer);
    const text = mutated(samples.cellTexts, random).toString();
    const changed = attempt(() => withCellText(notebook, text));
    if (changed !== null) attempt(() => cellText(changed));
  },
  settings: (random) => {
    const text = mutated(samples.settings, random).toString();
    const origin = { from: random.pick(["user-file", "project-file"] as const), path: "settings.json" };
    attempt(() => fromFile(text, origin, "settings.json"));
  },
  "requests of MCP": (random) => {
    const lines = new WellFormedLines(() => {}, largest);
    lines.pipe(new PassThrough()).resume();
    for (const chunk of inRandomChunks(mutated(samples.mcpLines, random), random)) lines.write(chunk);
    lines.end();
  },
  "frames of the hub": (random) => {
    const reader = new HubFrameReader();
    attempt(() => {
      for (const chunk of inRandomChunks(mutated(samples.hubFrames, random), random)) {
        reader.push(chunk);
        while (reader.next() !== null);
      }
    });
  },
  "output for a terminal": (random) => {
    let length = 0;
    const screen = new ScreenLines((text) => {
      length += text.length;
    });
    const parser = new VtParser();
    for (const chunk of inRandomChunks(mutated(samples.terminalOutput, random), random)) {
      parser.feed(chunk.toString(), screen);
    }
    parser.end(screen);
    screen.finish();
    return length;
  },
  HTML: (random) => {
    const html = mutated(samples.pages, random).toString();
    htmlToMarkdown(html);
    const safe = safeHtml(html);
    if (/<(script|iframe|style)|<[^>]*(\son\w+\s*=|javascript:)/i.test(safe)) throw new TypeError(`not safe: ${safe}`);
  },
  pictures: async (random) => {
    await asyncAttempt(() => fitPicture(mutated(samples.pictures, random), smallPictures));
  },
};

const mostPixels = 1_000_000;
const smallPictures = { ...pictureLimits, decodedPixels: { "image/png": mostPixels, "image/jpeg": mostPixels } };

function mutatedPart(part: Buffer, random: SeededRandom): Buffer {
  if (random.chance(0.6)) return part;
  if (random.chance(0.5) || part.length === 0) return mutated([part], random);
  const value = anyAttempt(() => JSON.parse(part.toString()) as unknown);
  return value === null ? part : Buffer.from(JSON.stringify(mutatedValue(value, random)) ?? "");
}

function useMessage(message: JupyterMessage): void {
  toEvent(message);
  pagesOf(message.content);
  toCompletion(message.content, "print(", 6);
  toCompleteness(message.content);
}

/** Null for input that was refused; all other exceptions are findings. */
function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

async function asyncAttempt<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

/** The caller takes any exception for a refusal. */
function anyAttempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && !error.code.startsWith("ERR_");
}
