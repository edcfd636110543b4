import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect } from "vitest";
import type { Execution, ExecutionResult } from "../../../src/session/execution/execution.ts";
import type { SeenGeneration } from "../../../src/session/ledger.ts";
import { Owners, Session } from "../../../src/session/session.ts";
import type { SessionPool } from "../../../src/session/session-pool.ts";
import type { SharedSession } from "../../../src/session/shared-session.ts";
import { sessionKey } from "./pool.ts";

/**
 * The invariants of a pool. Cells count in their kernel's memory how often one ran there, so a result
 * shows by itself whether the variables of those before it were still there, and the ledger can be checked against it.
 */
export interface World {
  readonly pool: SessionPool;
  readonly cells: Readonly<Record<"count" | "hang" | "die", string>>;
  /** As `kill -9`, at any moment. */
  kill(session: SharedSession): void;
  /** Lets things happen for a while. */
  pass(moments: number): Promise<void>;
}

interface Issued {
  readonly execution: Execution;
  readonly session: SharedSession;
  readonly owner: string;
  /** Another one for an owner who has left and come back. */
  readonly seen: SeenGeneration;
  readonly kind: "count" | "hang" | "die" | "reset";
  /** The result, with its place among all results of its session. */
  result: ExecutionResult | null;
}

/** The simple model: what was asked for. Everything else is compared with that. */
class PoolModel {
  readonly issued: Issued[] = [];
  readonly settled: Issued[] = [];
  readonly stopped = new Set<Execution>();
}

export class Actors {
  readonly world: World;
  readonly model = new PoolModel();
  readonly #owners = new Owners();

  constructor(world: World) {
    this.world = world;
  }

  session(id: string, owner: string): Session {
    const session = this.world.pool.session(sessionKey(id));
    const seen = this.#owners.add(session, owner);
    return new Session(session, {
      owner,
      label: owner,
      seen,
      backgroundMs: 3_600_000,
      others: () => this.#owners.othersThan(owner, session),
      firstNotice: () => null,
      leave: async () => {
        if (this.#owners.remove(session, owner)) await this.world.pool.remove(session);
      },
    });
  }

  issue(kind: Issued["kind"], owner: string, { shared: session }: Session, execution: Execution): void {
    const seen = this.#owners.add(session, owner);
    const issued: Issued = { execution, session, owner, seen, kind, result: null };
    this.model.issued.push(issued);
    void execution.result.then((result) => {
      expect(issued.result, "no result comes twice").toBeNull();
      issued.result = result;
      this.model.settled.push(issued);
    });
  }
}

type Command = fc.AsyncCommand<PoolModel, Actors>;

/** The steps, in this order. */
export type Plan = Iterable<Command>;

class Run implements Command {
  readonly kind: "count" | "hang" | "die";
  readonly id: string;
  readonly owner: string;
  readonly reset: boolean;

  constructor(kind: "count" | "hang" | "die", id: string, owner: string, reset: boolean) {
    this.kind = kind;
    this.id = id;
    this.owner = owner;
    this.reset = reset;
  }

  check = () => true;

  async run(_model: PoolModel, actors: Actors): Promise<void> {
    const session = actors.session(this.id, this.owner);
    const code = actors.world.cells[this.kind];
    actors.issue(this.kind, this.owner, session, session.run(code, { reset: this.reset, force: true }));
  }

  toString = () => `${this.owner} runs ${this.kind} in ${this.id}${this.reset ? " after a reset" : ""}`;
}

class Reset implements Command {
  readonly id: string;
  readonly owner: string;
  readonly force: boolean;

  constructor(id: string, owner: string, force: boolean) {
    this.id = id;
    this.owner = owner;
    this.force = force;
  }

  check = () => true;

  async run(_model: PoolModel, actors: Actors): Promise<void> {
    const session = actors.session(this.id, this.owner);
    actors.issue("reset", this.owner, session, session.reset({ force: this.force }));
  }

  toString = () => `${this.owner} resets ${this.id}${this.force ? " by force" : ""}`;
}

/** Interrupts the cell that runs there, or the one that was queued last. */
class Interrupt implements Command {
  readonly id: string;
  readonly last: boolean;

  constructor(id: string, last: boolean) {
    this.id = id;
    this.last = last;
  }

  check = () => true;

  async run(_model: PoolModel, actors: Actors): Promise<void> {
    const open = actors.model.issued.filter(({ session, result }) => session.id === this.id && result === null);
    const target = this.last ? open.at(-1) : open[0];
    if (target === undefined) return;
    actors.model.stopped.add(target.execution);
    void target.execution.interrupt();
  }

  toString = () => `a caller interrupts the ${this.last ? "last" : "first"} of ${this.id}`;
}

class Kill implements Command {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }

  check = () => true;

  async run(_model: PoolModel, actors: Actors): Promise<void> {
    actors.world.kill(actors.world.pool.session(sessionKey(this.id)));
  }

  toString = () => `the kernel of ${this.id} is killed`;
}

/** The sweep's action on a session that was idle for too long. */
class Park implements Command {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }

  check = () => true;

  async run(_model: PoolModel, actors: Actors): Promise<void> {
    void actors.world.pool.session(sessionKey(this.id)).park("It was idle.");
  }

  toString = () => `${this.id} is ended if it is idle`;
}

class Leave implements Command {
  readonly id: string;
  readonly owner: string;

  constructor(id: string, owner: string) {
    this.id = id;
    this.owner = owner;
  }

  check = () => true;

  async run(_model: PoolModel, actors: Actors): Promise<void> {
    void actors.session(this.id, this.owner).leave();
  }

  toString = () => `${this.owner} leaves ${this.id}`;
}

class Pass implements Command {
  readonly moments: number;

  constructor(moments: number) {
    this.moments = moments;
  }

  check = () => true;
  run = (_model: PoolModel, actors: Actors): Promise<void> => actors.world.pass(this.moments);
  toString = () => `${this.moments} moments pass`;
}

/** More sessions than places, so that they evict each other. */
const ids = fc.constantFrom("a", "b", "c");
const owners = fc.constantFrom("ada", "bob");

export function commands(maxCommands: number): fc.Arbitrary<Plan> {
  const kinds = fc.constantFrom("count", "count", "count", "count", "hang", "die") as fc.Arbitrary<Run["kind"]>;
  const rarely = fc.integer({ min: 0, max: 9 }).map((number) => number === 0);
  return fc.commands(
    [
      fc.tuple(kinds, ids, owners, rarely).map((given) => new Run(...given)),
      fc.tuple(ids, owners, fc.boolean()).map((given) => new Reset(...given)),
      fc.tuple(ids, fc.boolean()).map((given) => new Interrupt(...given)),
      ids.map((id) => new Kill(id)),
      ids.map((id) => new Park(id)),
      fc.tuple(ids, owners).map((given) => new Leave(...given)),
      fc.integer({ min: 0, max: 12 }).map((moments) => new Pass(moments)),
    ],
    { maxCommands, size: "max" },
  );
}

/** Lets everything come to its end, closes the pool, and compares. */
export async function settleAndCompare({ world, model }: Actors): Promise<void> {
  // All of them, since one that hangs may have the place that another is waiting for.
  await world.pass(20);
  const hanging = model.issued.filter(({ kind }) => kind === "hang");
  await Promise.all(hanging.map(({ execution }) => execution.interrupt()));
  await Promise.all(model.issued.map(({ execution }) => execution.result));
  await world.pool.close();
  await sleep(0);
  expect(model.settled.length, "no result is lost").toBe(model.issued.length);
  for (const issued of model.issued) compareLog(issued);
  for (const session of new Set(model.issued.map((issued) => issued.session))) compareLedgers(session, model);
}

/** Never `internal`: that would be a mistake of ours. */
const possibleFailures = ["too-many-restarts", "session-closed", "session-shared", "reset-in-progress"];

function compareLog({ execution, result }: Issued): void {
  const ends = execution.poll().filter(({ event }) => event.type === "over");
  expect(ends.map(({ event }) => event)).toEqual([{ type: "over", status: result?.status }]);
}

function compareLedgers(session: SharedSession, model: PoolModel): void {
  /** How many counted in each kernel, for certain; and how many may have, before they were stopped. */
  const counted = new Map<number, number>();
  const maybe = new Map<number, number>();
  const told = new Map<SeenGeneration, number>();
  for (const { kind, owner, seen, result } of model.settled.filter((issued) => issued.session === session)) {
    if (result === null) continue;
    const { ledger, status, output, failure, cancelled } = result;
    const { generation, state } = ledger;
    const context = `${owner}'s ${kind} in ${session.id}: ${JSON.stringify({ status, output, ledger, failure: failure?.code })}`;
    const before = told.get(seen) ?? 0;
    told.set(seen, generation);
    expect(generation, context).toBeGreaterThanOrEqual(before);
    const saysThatVariablesStay = state === "alive" || state === "interrupted";
    if (saysThatVariablesStay && before > 0) expect(generation, context).toBe(before);
    if (state === "restarted") expect(generation, context).toBeGreaterThan(1);
    expect(ledger.reason === null, context).toBe(state === "alive");
    expect(failure === null, context).toBe(status !== "failed");
    if (failure !== null) expect(possibleFailures, context).toContain(failure.code);
    expect(["ok", "cancelled", "failed"], context).toContain(status);
    if (kind === "hang" || kind === "die") expect(status, context).not.toBe("ok");
    if (cancelled && kind === "count") maybe.set(generation, (maybe.get(generation) ?? 0) + 1);
    if (status !== "ok" || kind !== "count") continue;
    const atLeast = (counted.get(generation) ?? 0) + 1;
    const count = Number(output.trim().split("\n").at(-1));
    expect(count, context).toBeGreaterThanOrEqual(atLeast);
    expect(count, context).toBeLessThanOrEqual(atLeast + (maybe.get(generation) ?? 0));
    counted.set(generation, count);
  }
}
