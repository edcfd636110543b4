import { expect, test } from "vitest";
import { LostVariables } from "../../src/hub/client/lost-variables.ts";
import type { ToolResult } from "../../src/tools/definition/tool.ts";

const result = (session: string, generation = 1): ToolResult => ({
  content: [{ type: "text", text: "1" }],
  isError: false,
  details: { session, ledger: { generation, state: "alive", reason: null } },
  structured: {},
});
const ledgerIn = ({ details }: ToolResult) => (details as unknown as { readonly ledger: object }).ledger;
const told = "Note: Python was restarted: The hub that had it has ended. Earlier variables are gone.";
const isTold = ({ content }: ToolResult) => content.some((part) => part.type === "text" && part.text === told);

test("the next hub's kernels are counted after those of the hub before, and each session is told once", () => {
  const lost = new LostVariables();
  lost.connected("one");
  expect([lost.reportIn(result("a", 2)), lost.reportIn(result("b"))].map(isTold)).toEqual([false, false]);
  lost.connected("two");
  const first = lost.reportIn(result("a"));
  expect(isTold(first)).toBe(true);
  expect(ledgerIn(first)).toEqual({ generation: 3, state: "restarted", reason: "The hub that had it has ended." });
  const second = lost.reportIn(result("a"));
  expect(isTold(second)).toBe(false);
  expect(ledgerIn(second)).toEqual({ generation: 3, state: "alive", reason: null });
  expect(ledgerIn(lost.reportIn(result("a", 0)))).toMatchObject({ generation: 3 });
  expect(isTold(lost.reportIn(result("b")))).toBe(true);
  expect(isTold(lost.reportIn(result("never used before")))).toBe(false);
});

test("the text is not repeated after a call that failed with the hub, and the ledger still says it", () => {
  const lost = new LostVariables();
  lost.connected("one");
  lost.reportIn(result("a"));
  lost.callFailed();
  lost.connected("two");
  const next = lost.reportIn(result("a"));
  expect(isTold(next)).toBe(false);
  expect(ledgerIn(next)).toMatchObject({ state: "restarted" });
  lost.connected("three");
  expect(isTold(lost.reportIn(result("a")))).toBe(true);
});

test("a connection to the same hub is no loss, and other tools have no ledger", () => {
  const lost = new LostVariables();
  lost.connected("one");
  lost.reportIn(result("a"));
  lost.connected("one");
  expect(isTold(lost.reportIn(result("a")))).toBe(false);
  const other: ToolResult = { ...result("a"), details: null };
  expect(lost.reportIn(other)).toBe(other);
});
