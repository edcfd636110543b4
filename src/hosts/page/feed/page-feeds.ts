import { historyId } from "../../../hub/history/session-history.ts";
import { describeSession } from "../../../hub/server/describe-session.ts";
import type { Hub } from "../../../hub/server/hub.ts";
import type { Runtime } from "../../../runtime/runtime.ts";
import type { LocalSession } from "../../../session/local-session.ts";
import type { Session } from "../../../session/session.ts";
import { GranaryError } from "../../../support/granary-error.ts";
import type { EventStream } from "../../../support/http/event-stream.ts";
import type { SessionEvent } from "../api/events.ts";
import type { PageSession } from "../api/sessions.ts";
import { pastCell } from "./past-cell.ts";
import { Pulse } from "./pulse.ts";
import { SessionFeed } from "./session-feed.ts";

/** The name of the page among the owners of a session. */
const pageOwner = "page";
/** A snapshot has so many cells; the reader asks for earlier ones. */
const shownCells = 50;
/** A reader that is behind by more loses its connection, and reconnects with a fresh snapshot. */
const hopelessBytes = 16 * 1024 * 1024;

/** The sessions of the hub, each with its feed, for the readers of the page. */
export class PageFeeds {
  readonly hub: Hub;
  readonly #runtime: Runtime;
  readonly #feeds = new Map<string, SessionFeed>();
  readonly #holds = new Map<string, Session>();
  /** Other readers than those of the session's cells. */
  readonly #others = new Map<string, number>();
  readonly #streams = new Set<EventStream>();
  readonly #pulse = new Pulse();
  readonly #stopWatching: () => void;

  /** @param runtime keeps the output of the page's own cells, and starts sessions */
  constructor(hub: Hub, runtime: Runtime) {
    this.hub = hub;
    this.#runtime = runtime;
    for (const session of hub.sessions.all) this.#observe(session);
    this.#stopWatching = hub.onExecution((execution, key) => {
      const id = historyId({ name: key.id, folder: key.cwd });
      this.#forgetEnded();
      for (const session of hub.sessions.all) if (this.#idOf(session) === id) this.#observe(session);
      this.#feeds.get(id)?.add(execution);
      this.#pulse.now();
      void execution.result.then(() => this.#pulse.now());
    });
  }

  get sessions(): readonly PageSession[] {
    const all = this.hub.sessions.all.map((session) => this.#describe(session));
    return all.sort((one, other) => other.lastUse - one.lastUse);
  }

  /** @throws `unknown-session` */
  require(id: string): { readonly session: LocalSession; readonly feed: SessionFeed } {
    const session = this.hub.sessions.all.find((each) => this.#idOf(each) === id);
    if (session === undefined) throw new GranaryError("unknown-session", `There is no session ${id} in the hub.`);
    return { session, feed: this.#observe(session) };
  }

  /** The page as one of the session's owners, from the first cell that it runs until its last reader leaves. */
  hold(id: string): Session {
    const { session } = this.require(id);
    const held = this.#holds.get(id);
    if (held?.shared === session) return held;
    const cwd = this.hub.sessions.keyOf(session).cwd;
    const hold = this.#runtime.session(session.id, { cwd, owner: pageOwner, joins: session });
    this.#holds.set(id, hold);
    return hold;
  }

  /** A reader of something else of the session, such as a notebook, until the stream closes. */
  followOther(id: string, stream: EventStream): void {
    this.#open(stream);
    this.#others.set(id, (this.#others.get(id) ?? 0) + 1);
    stream.onClose(() => {
      this.#others.set(id, (this.#others.get(id) ?? 1) - 1);
      this.#letGoIfUnused(id);
    });
  }

  /** Sends the list of sessions, and again after every change. */
  followList(stream: EventStream): void {
    this.#open(stream);
    let last = "";
    const tell = (): void => {
      const event = { type: "sessions", sessions: this.sessions };
      const text = JSON.stringify(event);
      if (text !== last) stream.send(event);
      last = text;
    };
    stream.onClose(this.#pulse.watch(tell));
    tell();
  }

  /** Sends a snapshot of the session, and then every change. */
  async followSession(id: string, stream: EventStream): Promise<void> {
    const { session, feed } = this.require(id);
    this.#open(stream);
    const past = (await this.hub.history(this.hub.sessions.keyOf(session)).read()).map(pastCell);
    if (stream.isClosed) return;
    let lastFacts = "";
    const facts = (): PageSession => this.#describe(session);
    const stop = feed.read((event) => send(stream, event));
    const known = new Set(feed.cells.map((cell) => cell.id));
    const all = [...past.filter((cell) => !known.has(cell.id)), ...feed.cells];
    send(stream, {
      ...{ type: "snapshot", session: facts(), cells: all.slice(-shownCells), hasEarlier: all.length > shownCells },
    });
    const stopPulse = this.#pulse.watch(() => {
      // The reader reconnects, and learns what became of it.
      if (!this.hub.sessions.all.includes(session)) return stream.close();
      const text = JSON.stringify(facts());
      if (text !== lastFacts) send(stream, { type: "session", session: facts() });
      lastFacts = text;
    });
    stream.onClose(() => {
      stop();
      stopPulse();
      this.#letGoIfUnused(id);
    });
  }

  async earlierCells(id: string, before: string) {
    const { session, feed } = this.require(id);
    const past = (await this.hub.history(this.hub.sessions.keyOf(session)).read()).map(pastCell);
    const known = new Set(feed.cells.map((cell) => cell.id));
    const all = [...past.filter((cell) => !known.has(cell.id)), ...feed.cells];
    const end = all.findIndex((cell) => cell.id === before);
    const from = Math.max(0, end - shownCells);
    return { cells: all.slice(from, Math.max(0, end)), hasEarlier: from > 0 };
  }

  async close(): Promise<void> {
    this.#stopWatching();
    this.#pulse.close();
    for (const stream of this.#streams) stream.close();
    for (const feed of this.#feeds.values()) feed.close();
  }

  #open(stream: EventStream): void {
    this.#streams.add(stream);
    const release = this.hub.keepAwake();
    stream.onClose(() => {
      this.#streams.delete(stream);
      release();
    });
  }

  #observe(session: LocalSession): SessionFeed {
    const id = this.#idOf(session);
    const feed = this.#feeds.get(id) ?? new SessionFeed();
    this.#feeds.set(id, feed);
    feed.observe(session);
    return feed;
  }

  /** The outputs of a session go with it; its history is on disk. */
  #forgetEnded(): void {
    const living = new Set(this.hub.sessions.all);
    for (const [id, feed] of this.#feeds) {
      if (feed.session === null || living.has(feed.session) || feed.hasReaders) continue;
      feed.close();
      this.#feeds.delete(id);
    }
  }

  #letGoIfUnused(id: string): void {
    if (this.#feeds.get(id)?.hasReaders || (this.#others.get(id) ?? 0) > 0) return;
    this.#others.delete(id);
    void this.#holds.get(id)?.leave();
    this.#holds.delete(id);
  }

  idOf(session: Pick<Session, "id" | "shared">): string {
    return this.#idOf(session.shared as LocalSession);
  }

  #idOf(session: LocalSession): string {
    return historyId({ name: session.id, folder: this.hub.sessions.keyOf(session).cwd });
  }

  #describe(session: LocalSession): PageSession {
    const { generation: _, ...facts } = describeSession(session, this.hub.sessions);
    return { id: this.#idOf(session), ...facts };
  }
}

function send(stream: EventStream, event: SessionEvent): void {
  stream.send(event);
  if (stream.behindBytes > hopelessBytes) stream.close();
}
