import { describe, expect, test } from "vitest";
import { cellLimit, RunOutputs } from "../../src/execute/notebook/run-outputs.ts";
import type { KernelEvent } from "../../src/kernel/events.ts";

const print = (text: string): KernelEvent => ({ type: "stream", name: "stdout", text });
const display = (text: string, displayId: string, update = false): KernelEvent => ({
  type: "display",
  data: { "text/plain": text },
  metadata: {},
  displayId,
  update,
});

/** The outputs of a run in which each of these cells told these events. */
function outputsOf(...cells: (readonly KernelEvent[])[]): RunOutputs {
  const outputs = new RunOutputs(cellLimit(1));
  for (const [index, events] of cells.entries()) {
    outputs.begin(index);
    for (const event of events) outputs.take(event);
  }
  return outputs;
}

const stream = (text: string) => ({ output_type: "stream", name: "stdout", text });
const shown = (text: string) => ({ output_type: "display_data", data: { "text/plain": text }, metadata: {} });

describe("the outputs of a run", () => {
  test("an update of a display reaches the cells before, and leaves nothing in its own", () => {
    const outputs = outputsOf([display("old", "a")], [print("x")], [display("new", "a", true)]);
    expect([0, 2].map((index) => outputs.of(index))).toEqual([[shown("new")], []]);
  });

  test("a display with a known id is one more, and brings the others up to date", () => {
    const outputs = outputsOf([display("old", "a")], [display("new", "a")]);
    expect([0, 1].map((index) => outputs.of(index))).toEqual([[shown("new")], [shown("new")]]);
  });

  test("the answer to `obj?` is shown and not kept", () => {
    const page: KernelEvent = {
      type: "display",
      data: { "text/plain": "Docstring" },
      metadata: {},
      update: false,
      page: true,
    };
    expect(outputsOf([print("x"), page]).of(0)).toEqual([stream("x")]);
  });

  test("an update of something unknown is nothing", () => {
    expect(outputsOf([display("new", "a", true)]).of(0)).toEqual([]);
  });

  test("output between two cells belongs to the first", () => {
    const outputs = outputsOf([print("cell\n")]);
    outputs.takeChanged();
    outputs.takeBackground("thread\n", "stdout");
    expect(outputs.takeChanged()).toEqual([0]);
    expect(outputs.of(0)).toEqual([stream("cell\nthread\n")]);
  });

  test("each cell is reported as changed once, until it changes again", () => {
    const outputs = outputsOf([display("old", "a")], []);
    expect(outputs.takeChanged()).toEqual([0, 1]);
    expect(outputs.takeChanged()).toEqual([]);
    outputs.take(display("new", "a", true));
    expect(outputs.takeChanged()).toEqual([0]);
  });

  test("a picture that does not fit is left out whole, and what comes after it is kept", () => {
    const outputs = outputsOf([print("before"), display("x".repeat(1_000_000), "big"), print(" after")]);
    const [text, note] = outputs.of(0);
    expect(text).toEqual(stream("before after"));
    expect(note).toMatchObject({ name: "stderr", text: expect.stringContaining("1.0 MB more are left out") });
  });
});
