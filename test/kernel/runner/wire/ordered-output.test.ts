import { StringDecoder } from "node:string_decoder";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { StreamName } from "../../../../src/kernel/events.ts";
import type { Frame } from "../../../../src/kernel/runner/wire/frames.ts";
import { OrderedOutput } from "../../../../src/kernel/runner/wire/ordered-output.ts";
import { repetitions } from "../../../environment/variants.ts";
import { anyBytes, chunked, mark, markBytes } from "./marks.ts";

/** An event in Python: printed text, or a sent frame. */
type Happening = { readonly name: StreamName; readonly bytes: Buffer } | { readonly frame: number };

describe("printed bytes and frames arrive in the order in which they happened", () => {
  test("however the three channels race, and however their bytes are chunked", () => {
    fc.assert(
      fc.property(happenings, turns, sizes, sizes, (happened, turns, stdout, stderr) => {
        expect(deliver(writeDown(happened), turns, { stdout, stderr })).toEqual(expected(happened));
      }),
      { numRuns: repetitions(300) },
    );
  });

  test("a pipe that has reached a mark is not read on until the other has too", () => {
    const held: string[] = [];
    const output = new OrderedOutput(mark, {
      onText: () => undefined,
      onFrame: () => undefined,
      onHeld: (name, isHeld) => held.push(`${name} ${isHeld ? "held" : "released"}`),
    });
    output.bytes("stdout", Buffer.concat([Buffer.from("x"), markBytes({ number: 1, frames: 0 })]));
    expect(held).toEqual(["stdout held"]);
    output.bytes("stderr", markBytes({ number: 1, frames: 0 }));
    expect(held[1]).toBe("stdout released");
    expect(held).not.toContain("stderr held");
  });

  test("at the end of a cell, half a character before its last mark is its own, and half a mark behind it is not", () => {
    const told: string[] = [];
    const output = new OrderedOutput(mark, {
      onText: (_, text) => told.push(text),
      onFrame: (frame) => {
        output.cellEnded();
        told.push(frame.t);
      },
      onHeld: () => undefined,
    });
    const beforeDone = markBytes({ number: 1, frames: 1 });
    const background = Buffer.concat([markBytes({ number: 2, frames: 1 }), Buffer.from("later")]);
    const halfCharacter = Buffer.from("€").subarray(0, 2);
    output.bytes(
      "stdout",
      Buffer.concat([Buffer.from("cell "), halfCharacter, beforeDone, background.subarray(0, 20)]),
    );
    output.bytes("stderr", beforeDone);
    output.frame({ t: "done", id: 1, outcome: "ok", count: 1, after: 1 });
    output.bytes("stdout", background.subarray(20));
    output.bytes("stderr", markBytes({ number: 2, frames: 1 }));
    expect(told).toEqual(["cell ", "\uFFFD", "done", "later"]);
  });

  test("at the end of a cell without a mark, the beginning of what never became one is its own", () => {
    const told: string[] = [];
    const output = new OrderedOutput(mark, {
      onText: (_, text) => told.push(text),
      onFrame: (frame) => {
        output.cellEnded();
        told.push(frame.t);
      },
      onHeld: () => undefined,
    });
    output.bytes("stdout", Buffer.from("cell\0"));
    output.frame({ t: "done", id: 1, outcome: "ok", count: 1 });
    expect(told).toEqual(["cell", "\0", "done"]);
  });

  test("the rest at the kernel's end is delivered, bytes first", () => {
    const told: string[] = [];
    const output = new OrderedOutput(mark, {
      onText: (_, text) => told.push(text),
      onFrame: (frame) => told.push(frame.t),
      onHeld: () => undefined,
    });
    const waitsForStderr = markBytes({ number: 1, frames: 0 });
    output.bytes("stdout", Buffer.concat([Buffer.from("before "), waitsForStderr, Buffer.from("behind\0")]));
    output.frame({ t: "clear", id: 1, wait: false, after: 2 });
    expect(told).toEqual(["before "]);
    output.end();
    expect(told.join("|")).toBe("before |behind|\0|clear");
  });
});

const somethingPrinted = fc.record({ name: fc.constantFrom("stdout" as const, "stderr" as const), bytes: anyBytes });

/** It ends with a frame, as every cell does: its mark settles whether a last zero byte begins a mark. */
const happenings: fc.Arbitrary<readonly Happening[]> = fc
  .array(fc.option(somethingPrinted), { maxLength: 25 })
  .map((items) => [...items, null].map((printed, index) => printed ?? { frame: index }));

const turns = fc.infiniteStream(fc.constantFrom("stdout" as const, "stderr" as const, "frames" as const));
const sizes = fc.infiniteStream(fc.integer({ min: 1, max: 80 }));

interface Channels {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly frames: readonly Frame[];
}

/** Writes as a runner does that may never leave out a mark: "Order: marks" in protocol/README.md. */
function writeDown(happened: readonly Happening[]): Channels {
  const pipes: Record<StreamName, Buffer[]> = { stdout: [], stderr: [] };
  const frames: Frame[] = [];
  let marks = 0;
  let last: StreamName | "frame" | undefined;
  const writeMark = (framesBefore: number): number => {
    marks++;
    for (const pipe of [pipes.stdout, pipes.stderr]) pipe.push(markBytes({ number: marks, frames: framesBefore }));
    return marks;
  };
  for (const one of happened) {
    if ("frame" in one) {
      const frame: Frame = { t: "clear", id: one.frame, wait: false };
      const bytesSince = last !== undefined && last !== "frame";
      frames.push(bytesSince ? { ...frame, after: writeMark(frames.length + 1) } : frame);
      last = "frame";
    } else {
      if (last !== undefined && last !== one.name) writeMark(frames.length);
      pipes[one.name].push(one.bytes);
      last = one.name;
    }
  }
  return { stdout: Buffer.concat(pipes.stdout), stderr: Buffer.concat(pipes.stderr), frames };
}

function deliver(
  channels: Channels,
  turns: Iterable<StreamName | "frames">,
  sizes: Readonly<Record<StreamName, Iterable<number>>>,
): string[] {
  const told: [channel: string, content: string][] = [];
  const output = new OrderedOutput(mark, {
    onText: (name, text) => told.push([name, text]),
    onFrame: (frame) => told.push(["frame", String("id" in frame && frame.id)]),
    onHeld: () => undefined,
  });
  const chunks = { stdout: chunked(channels.stdout, sizes.stdout), stderr: chunked(channels.stderr, sizes.stderr) };
  const frames = channels.frames.values();
  const finished = new Set<string>();
  for (const turn of turns) {
    if (finished.size === 3) break;
    const next = turn === "frames" ? frames.next() : chunks[turn].next();
    if (next.done) finished.add(turn);
    else if (turn === "frames") output.frame(next.value as Frame);
    else output.bytes(turn, next.value as Buffer);
  }
  output.end();
  return story(told);
}

/**
 * The same story told at once. Text is decoded per stream, so half a character that another stream interrupts is
 * completed later; which is why the comparison decodes as the host does.
 */
function expected(happened: readonly Happening[]): string[] {
  const decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
  const told: [string, string][] = happened.map((one) =>
    "frame" in one ? ["frame", String(one.frame)] : [one.name, decoders[one.name].write(one.bytes)],
  );
  for (const name of ["stdout", "stderr"] as const) told.push([name, decoders[name].end()]);
  return story(told);
}

function story(told: readonly (readonly [channel: string, content: string])[]): string[] {
  const result: [string, string][] = [];
  for (const [channel, content] of told) {
    const last = result.at(-1);
    if (channel !== "frame" && content === "") continue;
    if (last && channel !== "frame" && last[0] === channel) last[1] += content;
    else result.push([channel, content]);
  }
  return result.map((one) => one.join(": "));
}
