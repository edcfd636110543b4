import { timingSafeEqual } from "node:crypto";
import { rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import type { Execution } from "../../session/execution/execution.ts";
import type { LocalSession, SessionLineChange } from "../../session/local-session.ts";
import { type SessionKey, sessionNameOf } from "../../session/session-pool.ts";
import type { Settings } from "../../settings/settings.ts";
import { deferred } from "../../support/deferred.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { hasDescriptors } from "../../support/process/descriptors.ts";
import { historyCell } from "../history/history-cell.ts";
import { RecordedOutputs } from "../history/recorded-outputs.ts";
import { SessionHistory } from "../history/session-history.ts";
import type { HubFacts } from "../session-facts.ts";
import { readHubRecord, sayOtherVersion } from "../start/hub-record.ts";
import { type Handlers, hubGone, Peer } from "../wire/peer.ts";
import { describeSession, describeWork } from "./describe-session.ts";
import { ExecutionNumbers } from "./execution-numbers.ts";
import { HubSessions } from "./hub-sessions.ts";

/** A connected client. */
export interface HubClient {
  /** For people: `console`, `granary run`, or the name of an MCP client. */
  readonly name: string;
  readonly pid: number;
  /** Tells it apart from all others. */
  readonly owner: string;
  readonly peer: Peer;
}

/** The requests that a kind of client may make. */
export type HubRequests = (hub: Hub, client: HubClient) => Handlers;

export interface HubOptions {
  /** The hub's folder. */
  readonly folder: string;
  readonly home: string;
  readonly socket: string;
  readonly token: string;
  readonly version: string;
  readonly settings: Pick<Settings, "hub" | "python">;
  readonly requests: readonly HubRequests[];
  readonly log: (line: string) => void;
}

/** How often the hub looks whether anybody needs it, and which cells run. */
const sweepMs = 1000;
const forgetMs = 60_000;

/** Holds the sessions, and serves clients until it has been unused for a while. */
export class Hub {
  /** Settles when it has ended, with all kernels. */
  readonly closed: Promise<void>;
  readonly options: HubOptions;
  readonly sessions: HubSessions;
  readonly startedAt = new Date().toISOString();
  /** Whether its record is written. */
  isListed = false;
  readonly #closed = deferred<void>();
  readonly #server: Server;
  readonly #numbers: ExecutionNumbers;
  readonly #clients = new Set<HubClient>();
  readonly #peers = new Set<Peer>();
  readonly #histories = new Map<string, SessionHistory>();
  readonly #watchers = new Set<(execution: Execution, key: SessionKey) => void>();
  readonly #lineWatchers = new Set<(change: SessionLineChange, key: SessionKey) => void>();
  /** Cells that are not in the history yet. */
  readonly #unfinished = new Map<Execution, SessionKey>();
  readonly #sweeper: NodeJS.Timeout;
  #neededAt = performance.now();
  #connections = 0;
  #visitors = 0;
  #closing: Promise<void> | null = null;

  constructor(options: HubOptions) {
    this.options = options;
    this.closed = this.#closed.promise;
    const numbers = new ExecutionNumbers(options.folder);
    this.#numbers = numbers;
    this.sessions = new HubSessions({
      settings: options.settings,
      firstExecution: numbers.first,
      onWork: ({ id }) => void numbers.use(numberOf(id)),
      onExecution: (execution, key) => {
        void numbers.use(numberOf(execution.id));
        this.#record(execution, key);
        for (const watcher of this.#watchers) watcher(execution, key);
      },
      onLine: (change, key) => {
        const { from } = change;
        void this.history(key).change(change, from && this.history(this.sessions.keyOf(from)));
        for (const watcher of this.#lineWatchers) watcher(change, key);
      },
      // Its last cell may still be on its way to the history.
      onRemoved: (key) => setTimeout(() => this.#forgetHistory(key), forgetMs).unref(),
    });
    this.#server = createServer((socket) => this.#admit(socket));
    this.#sweeper = setInterval(() => {
      this.#recordLongCells();
      this.#endIfUnused();
    }, sweepMs);
  }

  listen(): Promise<void> {
    const { socket } = this.options;
    return rm(socket, { force: true }).then(
      () =>
        new Promise((resolve, reject) => {
          this.#server.once("error", reject);
          this.#server.listen(socket, resolve);
        }),
    );
  }

  /** Reports every cell of every session from now on; the returned function stops it. */
  onExecution(watcher: (execution: Execution, key: SessionKey) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Reports when cells are undone, or are back; the returned function stops it. */
  onLine(watcher: (change: SessionLineChange, key: SessionKey) => void): () => void {
    this.#lineWatchers.add(watcher);
    return () => this.#lineWatchers.delete(watcher);
  }

  /** For visitors that are no clients, such as a browser: the hub is needed until the returned function is called. */
  keepAwake(): () => void {
    this.#visitors += 1;
    return () => {
      this.#visitors -= 1;
    };
  }

  history(key: SessionKey): SessionHistory {
    const name = sessionNameOf(key);
    const history =
      this.#histories.get(name) ?? new SessionHistory(this.options.folder, { name: key.id, folder: key.cwd });
    this.#histories.set(name, history);
    return history;
  }

  /** In memory; the file stays. */
  #forgetHistory(key: SessionKey): void {
    const name = sessionNameOf(key);
    if (!this.sessions.all.some((session) => sessionNameOf(this.sessions.keyOf(session)) === name))
      this.#histories.delete(name);
  }

  /** For a client, which does not count itself. */
  factsFor(asking: HubClient): HubFacts {
    const { version, socket, folder } = this.options;
    return {
      pid: process.pid,
      version,
      startedAt: this.startedAt,
      socket,
      log: `${folder}/hub.log`,
      clients: [...this.#clients].filter((client) => client !== asking).map(({ name, pid }) => ({ name, pid })),
      sessions: this.living.map((session) => describeSession(session, this.sessions)),
      work: this.#works.map((work) => ({ ...describeWork(work), session: work.sessionId })),
    };
  }

  /** Sessions with a kernel or with work. */
  get living(): readonly LocalSession[] {
    return this.sessions.all.filter(({ kernel, isBusy }) => kernel !== null || isBusy);
  }

  /** Commands and notebooks that run. */
  get #works(): readonly Execution[] {
    return [...this.sessions.pool.works];
  }

  /** @param force also while cells or commands run, which end with it */
  async stop(force: boolean): Promise<void> {
    const busy = this.living.filter(({ isBusy }) => isBusy).map(({ id }) => id);
    const works = this.#works.map(describeWork).map(({ id, firstLine }) => `${id} (${firstLine})`);
    const running = [
      ...(busy.length > 0 ? [`Cells are running in ${busy.join(", ")}.`] : []),
      ...(works.length > 0 ? [`Still running: ${works.join(", ")}.`] : []),
    ];
    if (running.length > 0 && !force) {
      const sentence = `${running.join(" ")} Wait for them, or end them with: granary hub stop --force`;
      throw new GranaryError("hub-busy", sentence);
    }
    // After the answer.
    setImmediate(() => void this.close());
  }

  /** Ends all sessions. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearInterval(this.#sweeper);
    this.#server.close();
    await this.sessions.close();
    await this.#numbers.close();
    for (const peer of this.#peers) peer.close();
    await Promise.race([Promise.all([...this.#peers].map(({ closed }) => closed)), later(500)]);
    for (const peer of this.#peers) peer.destroy();
    this.#closed.resolve();
  }

  #admit(socket: Socket): void {
    let handlers: Handlers = { hello: (hello: never) => greet(hello) };
    const peer = new Peer(socket, () => {
      // The client starts the next hub when this one has ended.
      if (this.#closing !== null) throw hubGone();
      return handlers;
    });
    this.#peers.add(peer);
    const greet = async (hello: Hello): Promise<object> => {
      const { version } = this.options;
      if (!this.#isToken(hello.token)) {
        setImmediate(() => peer.close());
        throw new GranaryError("hub-refused", "The client did not show the hub's token, so the hub refused it.");
      }
      if (hello.version !== version && !hello.anyVersion) throw this.#otherVersion(hello.version);
      // Its client has given up; a request that came along must not run now.
      if (Date.now() > (hello.goodUntil ?? Number.POSITIVE_INFINITY)) throw hubGone();
      const owner = `${hello.name}#${++this.#connections}`;
      const client: HubClient = { name: hello.name, pid: hello.pid, owner, peer };
      this.#clients.add(client);
      void peer.closed.then(() => this.#clients.delete(client));
      handlers = Object.assign({}, ...this.options.requests.map((make) => make(this, client))) as Handlers;
      return { version, pid: process.pid };
    };
    void peer.closed.then(() => this.#peers.delete(peer));
  }

  #isToken(shown: unknown): boolean {
    const theirs = Buffer.from(typeof shown === "string" ? shown : "");
    const ours = Buffer.from(this.options.token);
    return theirs.length === ours.length && timingSafeEqual(theirs, ours);
  }

  #otherVersion(theirs: string): GranaryError {
    const { version } = this.options;
    const count = this.living.length;
    const lost = count === 0 ? "" : ` Its ${count === 1 ? "session ends" : `${count} sessions end`} with it.`;
    return new GranaryError("hub-version", `${sayOtherVersion({ pid: process.pid, version }, theirs)}${lost}`);
  }

  #record(execution: Execution, key: SessionKey): void {
    if (execution.cell.code === "") return this.#recordAct(execution, key);
    const outputs = new RecordedOutputs();
    execution.recorder = (event) => outputs.take(event);
    this.#unfinished.set(execution, key);
    void execution.result.then((result) => {
      this.#unfinished.delete(execution);
      execution.recorder = null;
      if (result.attempts > 0) void this.history(key).add(historyCell(execution, result, outputs.all));
    });
  }

  /** Cells that take longer than a moment are in the history before they end: a hub that is killed cannot add them then. */
  #recordLongCells(): void {
    for (const [execution, key] of this.#unfinished) {
      if (execution.startedAt === null) continue;
      this.#unfinished.delete(execution);
      void this.history(key).begin(execution);
    }
  }

  #recordAct({ id, by, cell, result }: Execution, key: SessionKey): void {
    const title = cell.title ?? "";
    void result.then(({ status }) => {
      const at = new Date().toISOString();
      void this.history(key).addAct({ mark: "act", id, by: by ?? "granary", at, title, status });
    });
  }

  get #isBusy(): boolean {
    return this.#works.length > 0 || this.living.some(({ isBusy }) => isBusy);
  }

  /** Its folder was deleted, so new clients cannot find it, and the last one has gone. */
  #isUnreachable(): boolean {
    const { folder, token } = this.options;
    const isOver = this.#clients.size === 0 && !this.#isBusy;
    // Without descriptors, the record cannot be read.
    return this.isListed && isOver && readHubRecord(folder)?.token !== token && hasDescriptors(1);
  }

  #endIfUnused(): void {
    const isNeeded = this.#clients.size > 0 || this.#visitors > 0 || this.living.length > 0 || this.#isBusy;
    if (isNeeded) this.#neededAt = performance.now();
    if (this.#isUnreachable()) {
      this.options.log("its record is gone: ending");
      return void this.close();
    }
    const unusedMs = performance.now() - this.#neededAt;
    if (unusedMs < this.options.settings.hub.endAfterMinutes * 60_000) return;
    this.options.log("unused: ending");
    void this.close();
  }
}

interface Hello {
  readonly token: unknown;
  readonly version: string;
  readonly anyVersion?: boolean;
  readonly name: string;
  readonly pid: number;
  readonly goodUntil?: number;
}

function numberOf(id: string): number {
  return Number(id.slice("run-".length));
}

function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
