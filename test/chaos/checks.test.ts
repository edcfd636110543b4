import { describe, expect, test } from "vitest";
import { checks, violations } from "./checks.ts";
import type { Asked, Entry, Mark, Settled } from "./log.ts";

const alive = { generation: 1, state: "alive" };

function asked(id: string, more: Partial<Asked> = {}): Asked {
  return {
    type: "asked",
    step: 0,
    id,
    session: "a",
    kind: "count",
    hasTimeout: false,
    expected: "",
    leastBytes: 0,
    ...more,
  };
}

function settled(id: string, trail: string, more: Partial<Settled> = {}): Settled {
  const output = trail === "" ? "" : `trail ${trail}\n`;
  const claim = {
    status: "ok",
    code: null,
    attempts: 1,
    ledger: alive,
    output,
    totalBytes: null,
    error: null,
    overs: 1,
  };
  return { type: "settled", id, ...claim, ...more };
}

const mark = (what: Mark["what"], id: string): Mark => ({ type: "mark", what, id, pid: 1 });
const ran = (...ids: readonly string[]): Mark[] => ids.flatMap((id) => [mark("begin", id), mark("end", id)]);
const fault: Entry = { type: "fault", step: 0, fault: "kill-kernel", session: "a" };
const nothingLeft = { type: "counted", step: 0, processes: [], descriptors: ["pipe:"], files: [] } as const;
const counts: Entry[] = [
  { ...nothingLeft, when: "start" },
  { ...nothingLeft, when: "end" },
];
const inSecond = { ledger: { generation: 2, state: "alive" } };
const died = { status: "failed", code: "kernel-died", output: "" };

/** A run without a fault in Granary. */
const good: readonly Entry[] = [
  ...[
    asked("c0"),
    asked("c1"),
    asked("c2", { kind: "exit" }),
    asked("c3"),
    asked("c4", { kind: "endless", hasTimeout: true }),
  ],
  settled("c0", "c0"),
  settled("c1", "c0 c1"),
  settled("c2", "", { ...died, ledger: { generation: 1, state: "lost" } }),
  settled("c3", "c3", { ledger: { generation: 2, state: "restarted" } }),
  settled("c4", "", { status: "timeout", ledger: { generation: 2, state: "interrupted" } }),
  { type: "recovery", step: 0, session: "a", attempts: 1, works: true },
  ...ran("c0", "c1", "c3"),
  mark("begin", "c2"),
  mark("begin", "c4"),
  ...counts,
];

test("a true run has no violation", () => {
  expect(violations(good)).toEqual([]);
});

test("a restored kernel may have the effects of any of the cells before", () => {
  const restored = { generation: 2, state: "restored" };
  const log = [
    ...[asked("c0"), asked("c1"), asked("c2", { kind: "exit" }), asked("c3"), asked("c4")],
    ...[settled("c0", "c0"), settled("c1", "c0 c1"), settled("c2", "", { ...died, ledger: restored })],
    settled("c3", "c0 c1 c3", { ledger: { ...restored, state: "alive" } }),
    settled("c4", "c0 c1 c3 c4", { ledger: { ...restored, state: "alive" } }),
    ...ran("c0", "c1", "c3", "c4"),
    ...counts,
  ];
  expect(violations(log)).toEqual([]);
});

test("a cell whose answer was lost may have run before one whose answer arrived", () => {
  const goneWithHub = { status: "failed", code: "hub-gone", output: "", ledger: null };
  const cells = [asked("c0"), asked("c1"), asked("c2")];
  const claims = [settled("c0", "c0"), settled("c1", "", goneWithHub), settled("c2", "c0 c1 c2")];
  expect(violations([fault, ...cells, ...claims, ...ran("c0", "c1", "c2"), ...counts])).toEqual([]);
});

test("a process that stays is one violation, and a second one another", () => {
  const end = (step: number, ...processes: string[]): Entry => ({ ...nothingLeft, when: "end", step, processes });
  const log = [...good, end(1), end(2, "sleep 300"), end(3, "sleep 300"), end(4, "sleep 300", "sleep 300")];
  expect(violations(log)).toEqual([
    "backToStart: after step 2 there are more processes: sleep 300",
    "backToStart: after step 4 there are more processes: sleep 300",
  ]);
});

/** Each changes one thing in the true run; the named check, and no other, notices. */
const lies: readonly (readonly [check: string, what: string, log: readonly Entry[]])[] = [
  ["settledOnce", "a cell that never settles", [asked("c9"), ...good]],
  ["settledOnce", "a cell that settles twice", [...good, settled("c4", "", { status: "timeout", ledger: null })]],
  ["settledOnce", "events that end twice", changed("c0", { overs: 2 })],
  ["ranAtMostOnce", "a cell that ran twice", [...good, mark("begin", "c2")]],
  ["ranAtMostOnce", "a cell that ran, and is said not to have begun", changed("c2", { attempts: 0 })],
  ["trueStatuses", "ok, and it did not reach its end", without("end", "c3")],
  ["trueStatuses", "ok, and it did not begin", without("begin", "c3")],
  ["trueStatuses", "ok, and it ends Python", changed("c2", { ...settled("c2", "c0 c1 c2"), ledger: null })],
  ["trueStatuses", "an error that nobody raised", changed("c4", { status: "error", error: "KeyboardInterrupt" })],
  ["trueStatuses", "a timeout that nobody asked for", changed("c2", { status: "timeout" })],
  ["trueStatuses", "a failure without a code", changed("c2", { code: null })],
  ["trueStatuses", "a failure without a fault", changed("c4", { ...died, ledger: null })],
  ["trueStatuses", "a cancelled cell without a fault", changed("c4", { status: "cancelled" })],
  ["trueStatuses", "a status that does not exist", changed("c2", { status: "lost" })],
  [
    "trueStatuses",
    "a result of a cell that nobody sent",
    [...good, settled("c9", "c9", { ledger: null }), ...ran("c9")],
  ],
  ["trueOutputs", "lost output", [...expecting("c1", { expected: "x\n" })]],
  ["trueOutputs", "a lost part of much output", [...expecting("c1", { leastBytes: 9 }, { totalBytes: 8 })]],
  ["untrueLedgers", "variables that are gone, and said to be there", changed("c1", { output: "trail c1\n" })],
  ["untrueLedgers", "variables that are there, and said to be gone", changed("c3", { output: "trail c0 c1 c3\n" })],
  ["untrueLedgers", "a new kernel that is not reported", changed("c3", { ledger: { generation: 2, state: "alive" } })],
  [
    "untrueLedgers",
    "an effect of a cell that is said not to have begun",
    [...good, asked("c5"), asked("c6"), ...neverBegun("c5"), settled("c6", "c3 c5 c6", inSecond), ...ran("c6")],
  ],
  ["untrueLedgers", "a former kernel", changed("c3", { ledger: { generation: 0, state: "restarted" } })],
  ["worksAgain", "a session that stays broken", recovery({ works: false, attempts: 3 })],
  ["worksAgain", "a session that needs too many attempts", recovery({ works: true, attempts: 4 })],
  ["backToStart", "a process", [...good, { ...nothingLeft, when: "end", processes: ["sleep 300"] }]],
  ["backToStart", "a descriptor", [...good, { ...nothingLeft, when: "end", descriptors: ["pipe:", "pipe:"] }]],
  ["backToStart", "a file", [...good, { ...nothingLeft, when: "end", files: ["tmp/granary-x"] }]],
  ["backToStart", "a run that was never counted", good.filter(({ type }) => type !== "counted")],
  ["noCrash", "a host that crashed", [...good, { type: "crashed", step: 0, what: "unhandled" }]],
];

describe("is noticed:", () => {
  test.each(lies)("%s: %s", (check, _, log) => {
    expect([...new Set(violations(log).map((sentence) => sentence.split(":")[0]))]).toEqual([check]);
  });

  test("every check has a case", () => {
    expect([...new Set(lies.map(([check]) => check))].sort()).toEqual(Object.keys(checks).sort());
  });
});

test("a failure is excused by a fault in its step", () => {
  const log = changed("c4", { ...died, ledger: null });
  expect(violations([fault, ...log])).toEqual([]);
});

function neverBegun(id: string): readonly Entry[] {
  return [fault, settled(id, "", { ...died, attempts: 0, ledger: null })];
}

function changed(id: string, more: Partial<Settled>): readonly Entry[] {
  return good.map((entry) => (entry.type === "settled" && entry.id === id ? { ...entry, ...more } : entry));
}

function expecting(id: string, ask: Partial<Asked>, claim: Partial<Settled> = {}): readonly Entry[] {
  return changed(id, claim).map((entry) => (entry.type === "asked" && entry.id === id ? { ...entry, ...ask } : entry));
}

function without(what: Mark["what"], id: string): readonly Entry[] {
  return good.filter((entry) => !(entry.type === "mark" && entry.what === what && entry.id === id));
}

function recovery(more: { readonly works: boolean; readonly attempts: number }): readonly Entry[] {
  return good.map((entry) => (entry.type === "recovery" ? { ...entry, ...more } : entry));
}
