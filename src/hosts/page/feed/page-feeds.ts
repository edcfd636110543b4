import { historyId } from "../../../hub/history/session-history.ts";
import { describeSession } from "../../../hub/server/describe-session.ts";
import type { Hub } from "../../../hub/server/hub.ts";
import type { Runtime } from "../../../runtime/runtime.ts";
import { sayUndone } from "../../../session/checkpoints/say-undone.ts";
import type { Execution } from "../../../session/execution/execution.ts";
import type { LocalSession } from "../../../session/local-session.ts";
import type { Session } from "../../../session/session.ts";
import { GranaryError } from "../../../support/granary-error.ts";
import type { EventStream } from "../../../support/http/event-stream.ts";
import type { PageCell } from "../api/cells.ts";
import type { SessionEvent } from "../api/events.ts";
import type { PageSession } from "../api/sessions.ts";
import { lastCells } from "./cell-weight.ts";
import { PacedReader } from "./paced-reader.ts";
import { pastCell } from "./past-cell.ts";
import { Pulse } from "./pulse.ts";
import { SessionFeed } from "./session-feed.ts";

/** The name of the page among the owners of a session. */
export const pageOwner = "page";
/** A hidden tab may give its stream away, and looks at the session once a minute. So long, it counts as being there. */
const lingerMs = 150_000;

/** Is called with each cell of a notebook, at its beginning. */
export type NotebookWatcher = (execution: Execution, feed: SessionFeed) => void;

/** Of the list of sessions, which is sent as a whole. */
const mostBehindBytes = 1_000_000;

/** The sessions of the hub, each with its feed, for the readers of the page. */
export class PageFeeds {
  readonly hub: Hub;
  readonly #runtime: Runtime;
  readonly #feeds = new Map<string, SessionFeed>();
  readonly #holds = new Map<string, Session>();
  /** Other readers than those of the session's cells. */
  readonly #others = new Map<string, number>();
  readonly #streams = new Set<EventStream>();
  readonly #leaving = new Map<string, NodeJS.Timeout>();
  readonly #pulse = new Pulse();
  readonly #notebookWatchers = new Set<NotebookWatcher>();
  readonly #stopWatching: () => void;

  /** @param runtime keeps the output of the page's own cells, and starts sessions */
  constructor(hub: Hub, runtime: Runtime) {
    this.hub = hub;
    this.#runtime = runtime;
    for (const session of hub.sessions.all) this.#observe(session);
    const stopMarks = hub.onLine(({ why, undone, redone }, key) => {
      const feed = this.#feeds.get(historyId({ name: key.id, folder: key.cwd }));
      feed?.mark(undone, sayUndone(why));
      feed?.mark(redone, null);
      this.#pulse.now();
    });
    const stopCells = hub.onExecution((execution, key) => {
      const id = historyId({ name: key.id, folder: key.cwd });
      this.#forgetEnded();
      for (const session of hub.sessions.all) if (this.#idOf(session) === id) this.#observe(session);
      const feed = this.#feeds.get(id);
      feed?.add(execution);
      if (feed !== undefined && execution.notebook !== null) {
        for (const watcher of this.#notebookWatchers) watcher(execution, feed);
      }
      this.#pulse.now();
      void execution.result.then(() => this.#pulse.now());
    });
    this.#stopWatching = () => {
      stopMarks();
      stopCells();
    };
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

  /** The page as one of the session's owners, from the first cell that it runs until its last reader has left. */
  hold(id: string): Session {
    const { session } = this.require(id);
    const held = this.#holds.get(id);
    if (held?.shared === session) return held;
    const cwd = this.hub.sessions.keyOf(session).cwd;
    const hold = this.#runtime.session(session.id, { cwd, owner: pageOwner, joins: session });
    this.#holds.set(id, hold);
    return hold;
  }

  /** The folders for a file of the session that the page writes. Cells in a sandbox may have put links to other places there. */
  async saveRoots(id: string, file: string): Promise<readonly string[]> {
    const key = this.hub.sessions.keyOf(this.require(id).session);
    const { saveRoots } = await import("../../../runtime/sandbox/save-roots.ts");
    return (await saveRoots(key, [file], [key.cwd], this.#runtime.env)) ?? [key.cwd];
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

  /** Reports the cells of notebooks that run now, in all sessions, and those from now on. */
  watchNotebooks(watcher: NotebookWatcher): () => void {
    this.#notebookWatchers.add(watcher);
    for (const session of this.hub.sessions.all) {
      const running = session.work.filter(({ notebook }) => notebook !== null);
      for (const execution of running) watcher(execution, this.#observe(session));
    }
    return () => void this.#notebookWatchers.delete(watcher);
  }

  /** Sends the list of sessions, and again after every change. */
  followList(stream: EventStream): void {
    this.#open(stream);
    let last = "";
    const tell = (): void => {
      const event = { type: "sessions", sessions: this.sessions };
      const text = JSON.stringify(event);
      // A reader that is behind gets a later list.
      if (text === last || stream.behindBytes > mostBehindBytes) return;
      stream.send(event);
      last = text;
    };
    stream.onClose(this.#pulse.watch(tell));
    tell();
  }

  /** Sends a snapshot of the session, and then every change. */
  async followSession(id: string, stream: EventStream): Promise<void> {
    const { session, feed } = this.require(id);
    this.#open(stream);
    let lastFacts = "";
    const facts = (): PageSession => this.#describe(session);
    const reader = new PacedReader<SessionEvent>(stream, async (hasGap) => {
      const past = await this.#pastCells(session);
      return () => {
        const all = joined(past, feed.cells);
        const cells = lastCells(all);
        return { type: "snapshot", session: facts(), cells, hasEarlier: cells.length < all.length, hasGap };
      };
    });
    const stop = feed.read((event) => reader.send(event));
    const stopPulse = this.#pulse.watch(() => {
      // The reader reconnects, and learns what became of it.
      if (!this.hub.sessions.all.includes(session)) return stream.close();
      const text = JSON.stringify(facts());
      if (text !== lastFacts) reader.send({ type: "session", session: facts() });
      lastFacts = text;
    });
    stream.onClose(() => {
      stop();
      stopPulse();
      this.#letGoIfUnused(id);
    });
    await reader.start();
  }

  async earlierCells(id: string, before: string) {
    const { session, feed } = this.require(id);
    const all = joined(await this.#pastCells(session), feed.cells);
    const end = all.findIndex((cell) => cell.id === before);
    const earlier = all.slice(0, Math.max(0, end));
    const cells = lastCells(earlier);
    return { cells, hasEarlier: cells.length < earlier.length };
  }

  async #pastCells(session: LocalSession): Promise<readonly PageCell[]> {
    return (await this.hub.history(this.hub.sessions.keyOf(session)).read()).map(pastCell);
  }

  async close(): Promise<void> {
    this.#stopWatching();
    this.#pulse.close();
    for (const stream of this.#streams) stream.close();
    for (const feed of this.#feeds.values()) feed.close();
    for (const timer of this.#leaving.values()) clearTimeout(timer);
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
    clearTimeout(this.#leaving.get(id));
    this.#leaving.set(id, setTimeout(() => this.#letGo(id), lingerMs).unref());
  }

  #letGo(id: string): void {
    this.#leaving.delete(id);
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

/** The cells of the history on disk, and those in memory, which have more forms. */
function joined(past: readonly PageCell[], recent: readonly PageCell[]): readonly PageCell[] {
  const known = new Set(recent.map((cell) => cell.id));
  return [...past.filter((cell) => !known.has(cell.id)), ...recent];
}
