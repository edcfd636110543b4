import { setTimeout as sleep } from "node:timers/promises";
import { deferred } from "../../src/support/deferred.ts";
import { type ChaosCell, codeOf, expectedBytes, expectedOutput } from "./cells.ts";
import { ChaosWorld } from "./chaos-world.ts";
import { leftover, mostAttempts } from "./checks.ts";
import { strike } from "./faults.ts";
import { ChaosHost } from "./host-process.ts";
import type { Counted, Entry, Settled } from "./log.ts";
import { leftFiles } from "./machine.ts";
import { allSessions, type Block, type Step } from "./program.ts";
import { settingsOf, type WorldName } from "./worlds.ts";

/** Nothing takes this long, also on a busy machine: a cell that has not settled by then hangs. */
const hangsAfterMs = 120_000;

/** Runs a program against a host in a world of its own; the log of what happened. Says after each block how far it is. */
export async function runProgram(
  name: WorldName,
  program: readonly Block[],
  onBlock: (log: readonly Entry[]) => void = () => {},
): Promise<readonly Entry[]> {
  const world = new ChaosWorld(name);
  const run = new ProgramRun(world);
  try {
    await run.block({ steps: [], maxSessions: 4 }, "start");
    for (const block of program) {
      await run.block(block, "end");
      onBlock(run.log);
    }
  } catch (error) {
    run.log.push({ type: "crashed", step: run.step, what: (error as Error).message });
  } finally {
    run.log.push(...world.marks());
    await run.close();
    world.remove();
  }
  return name === "hub" ? inOrderOfAsking(run.log) : run.log;
}

/** Results of several calls arrive in any order, and the cells of a session ran in the order of the calls. */
function inOrderOfAsking(log: readonly Entry[]): readonly Entry[] {
  const claims = new Map(log.flatMap((entry) => (entry.type === "settled" ? [[entry.id, entry] as const] : [])));
  const bySession = new Map<string, Settled[]>();
  const sessionOf = new Map<string, string>();
  for (const entry of log) {
    if (entry.type !== "asked") continue;
    sessionOf.set(entry.id, entry.session);
    const claim = claims.get(entry.id);
    if (claim !== undefined) bySession.set(entry.session, [...(bySession.get(entry.session) ?? []), claim]);
  }
  return log.map((entry) =>
    entry.type === "settled" ? (bySession.get(sessionOf.get(entry.id) ?? "")?.shift() ?? entry) : entry,
  );
}

class ProgramRun {
  readonly log: Entry[] = [];
  step = -1;
  readonly #world: ChaosWorld;
  readonly #host: ChaosHost;
  readonly #sessions = new Map<string, string>();
  readonly #settled = new Map<string, (settled: Settled) => void>();
  #begun = 0;
  #onBegun = (): void => {};
  #blocks = 0;

  constructor(world: ChaosWorld) {
    this.#world = world;
    this.#host = new ChaosHost(world.name, world.folder, world.env, {
      settled: (settled) => {
        this.log.push(settled);
        this.#settled.get(settled.id)?.(settled);
      },
      moved: (moved) => this.log.push({ ...moved, session: `${moved.session}${this.#blocks}` }),
      began: () => {
        this.#begun += 1;
        this.#onBegun();
      },
    });
  }

  /** Some steps; then everything is closed and counted. */
  async block({ steps, maxSessions }: Block, when: "start" | "end"): Promise<void> {
    const { name, folder } = this.#world;
    this.#blocks += 1;
    await this.#host.order("open", { settings: settingsOf(name, maxSessions) });
    if (when === "start") {
      for (const session of allSessions) await this.#probe(session);
      // A second after the first kernel, a host starts a shell that watches for its end, and keeps it.
      await sleep(1500);
    }
    for (const step of steps) await this.#take(step);
    await this.#host.order("close");
    // The shell stays, in all worlds but that of the hub, which has its own.
    const watcher = (command: string) => this.#world.name !== "hub" && command.startsWith("/bin/sh -c read _;");
    const processes = await this.#world.endServers(this.#host.pid, watcher);
    // Some are closed and removed a moment later.
    const start = this.log.find((entry) => entry.type === "counted");
    for (let round = 1; ; round++) {
      const { descriptors } = (await this.#host.order("count")) as { readonly descriptors: readonly string[] };
      const counted: Counted = {
        type: "counted",
        when,
        step: this.step,
        processes,
        descriptors,
        files: leftFiles(folder),
      };
      if (round < 40 && (start === undefined ? round < 4 : leftover(start, counted).length > 0)) await sleep(50);
      else return void this.log.push(counted);
    }
  }

  async close(): Promise<void> {
    const ended = await Promise.race([this.#host.end(), sleep(20_000, "late", { ref: false })]);
    if (ended === "late") this.#host.kill();
  }

  async #take({ number, cells, fault }: Step): Promise<void> {
    this.step = number;
    this.#begun = 0;
    const struck = this.#begunAre(fault.afterBegun).then(async () => {
      await sleep(fault.delayMs);
      this.log.push({ type: "fault", step: number, fault: fault.kind, session: fault.session });
      const end = await strike(fault, {
        world: this.#world,
        host: this.#host,
        sessionOf: (id) => this.#sessions.get(id),
      });
      await sleep(fault.holdMs);
      await end();
    });
    const all = Promise.all(cells.map((cell) => this.#run(cell)));
    await all;
    this.#begun = Number.POSITIVE_INFINITY;
    this.#onBegun();
    await struck;
    for (const session of new Set([fault.session, ...cells.map(({ session }) => session)]))
      await this.#recover(session);
  }

  #begunAre(count: number): Promise<void> {
    if (this.#begun >= count) return Promise.resolve();
    const reached = deferred<void>();
    this.#onBegun = () => {
      if (this.#begun >= count) reached.resolve();
    };
    return reached.promise;
  }

  async #recover(session: string): Promise<void> {
    let attempts = 0;
    let works = false;
    while (!works && attempts < mostAttempts) {
      attempts += 1;
      works = (await this.#probe(session, attempts)).status === "ok";
    }
    this.log.push({ type: "recovery", step: this.step, session, attempts, works });
    if (!works) throw new Error(`Session ${session} does not work any more.`);
  }

  #probe(session: string, attempt = 1): Promise<Settled> {
    const id = `s${this.step < 0 ? "tart" : this.step}p${session}${attempt}`;
    return this.#run({ id, session, kind: "count", amount: 0, timeoutMs: null, leaves: false, reader: "quick" });
  }

  async #run(cell: ChaosCell): Promise<Settled> {
    const { id, kind, timeoutMs, reader } = cell;
    // In another block, it is another session of the same name.
    this.#sessions.set(id, cell.session);
    const session = `${cell.session}${this.#blocks}`;
    const isHub = this.#world.name === "hub";
    this.log.push({
      ...{ type: "asked", step: this.step, id, session, kind, expected: expectedOutput(cell) },
      hasTimeout: timeoutMs !== null || isHub,
      leastBytes: expectedBytes(cell),
    });
    const settled = deferred<Settled>();
    this.#settled.set(id, settled.resolve);
    await this.#host.order("run", {
      id,
      session: cell.session,
      code: codeOf(cell, this.#world.witness),
      timeoutMs,
      reader,
    });
    const hangs = sleep(hangsAfterMs, null, { ref: false }).then(() => {
      throw new Error(`${id} (${kind}) has not settled after ${hangsAfterMs / 1000} seconds.`);
    });
    return Promise.race([settled.promise, this.#host.crashed, hangs]);
  }
}
