import { describe, expect, test } from "vitest";
import { CellOutputs, shownOutput } from "../../src/execute/cell-outputs.ts";
import type { KernelEvent } from "../../src/kernel/events.ts";

const print = (text: string, name: "stdout" | "stderr" = "stdout") => ({ type: "stream", name, text }) as const;
const display = (text: string, displayId?: string) =>
  ({
    type: "display",
    data: { "text/plain": text },
    metadata: {},
    update: false,
    ...(displayId === undefined ? {} : { displayId }),
  }) as const;

function outputsOf(...events: readonly KernelEvent[]): CellOutputs {
  const outputs = new CellOutputs();
  for (const event of events) outputs.take(event);
  return outputs;
}

describe("a cell's outputs", () => {
  test("are cut where no string could hold them, and say how much is left out", () => {
    const megabyte = "x".repeat(1024 * 1024);
    const outputs = outputsOf(...Array.from({ length: 70 }, () => print(megabyte)));
    const [kept, note] = outputs.all;
    expect(kept?.type === "stream" && kept.text.length).toBe(64 * 1024 * 1024);
    expect(note).toEqual(print("\n[6,291,456 more characters left out here]\n", "stderr"));
  });

  test("keep their order; neighbouring text of one stream is one output", () => {
    const outputs = outputsOf(print("a"), print("b"), print("c", "stderr"), display("d"), print("e"));
    expect(outputs.all).toEqual([print("ab"), print("c", "stderr"), shownOutput(display("d")), print("e")]);
  });

  test("are forgotten when the cell clears them", () => {
    expect(outputsOf(print("a"), { type: "clear", wait: false }).all).toEqual([]);
  });

  test("stay until the next one comes when the cell clears them with wait", () => {
    const outputs = outputsOf(print("a"), { type: "clear", wait: true });
    expect(outputs.all).toEqual([print("a")]);
    outputs.take(print("b"));
    expect(outputs.all).toEqual([print("b")]);
    outputs.take(print("c"));
    expect(outputs.all).toEqual([print("bc")]);
  });

  test("an update replaces every display with that id, where it stands", () => {
    const outputs = outputsOf(display("1", "bar"), print("x"), display("1", "bar"), display("2", "other"));
    const update = shownOutput(display("done", "bar"));
    expect(outputs.update(update)).toBe(true);
    expect(outputs.all).toEqual([update, print("x"), update, shownOutput(display("2", "other"))]);
  });

  test("an update of something unknown changes nothing and says so", () => {
    const outputs = outputsOf(display("1"));
    expect(outputs.update(shownOutput(display("2", "bar")))).toBe(false);
    expect(outputs.all).toEqual([shownOutput(display("1"))]);
  });
});
