import { GranaryError } from "../../../support/granary-error.ts";
import type { EventStream } from "../../../support/http/event-stream.ts";
import type { JsonObject } from "../../../support/json/value.ts";
import type { NotebookEvent, NotebookListing, PageEditResult, PageNotebookEdit } from "../api/notebooks.ts";
import type { PageFeeds } from "../feed/page-feeds.ts";
import { findNotebooks } from "./find-notebooks.ts";
import { NotebookFeed } from "./notebook-feed.ts";
import { notebookPath } from "./notebook-place.ts";
import { NotebookRuns } from "./notebook-runs.ts";

/** A reader that is behind by more loses its connection, and reconnects with a fresh snapshot. */
const hopelessBytes = 16 * 1024 * 1024;

interface OpenedNotebook {
  readonly feed: NotebookFeed;
  readonly runs: NotebookRuns;
}

/** The notebooks that browsers show, each in the session whose folder it is in. The hub is the one that writes them. */
export class PageNotebooks {
  readonly #feeds: PageFeeds;
  readonly #maxCellMegabytes: number;
  readonly #open = new Map<string, { readonly opening: Promise<OpenedNotebook>; users: number }>();

  constructor(feeds: PageFeeds, maxCellMegabytes: number) {
    this.#feeds = feeds;
    this.#maxCellMegabytes = maxCellMegabytes;
  }

  list(session: string): Promise<NotebookListing> {
    return findNotebooks(this.#folderOf(session));
  }

  /** Works with a notebook, which stays open until its last user is done. */
  async use<T>(session: string, path: unknown, work: (notebook: OpenedNotebook) => T | Promise<T>): Promise<T> {
    const file = notebookPath(this.#folderOf(session), path);
    const key = JSON.stringify([session, file]);
    const entry = this.#open.get(key) ?? { opening: this.#openAt(session, file), users: 0 };
    this.#open.set(key, entry);
    entry.users += 1;
    try {
      return await work(await entry.opening);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) {
        this.#open.delete(key);
        void entry.opening.then(close, () => {});
      }
    }
  }

  /** Sends all cells, and then every change, until the stream closes. */
  follow(session: string, path: unknown, stream: EventStream): Promise<void> {
    return this.use(session, path, async ({ feed, runs }) => {
      await feed.refresh();
      if (stream.isClosed) return;
      this.#feeds.followOther(session, stream);
      let mostBehind = Number.POSITIVE_INFINITY;
      const send = (event: NotebookEvent): void => {
        if (stream.behindBytes > mostBehind) stream.cut();
        else stream.send(event);
      };
      const { session: shared } = this.#feeds.require(session);
      const { cells, file, stop } = feed.read(send);
      send({ type: "notebook", session: { name: shared.id, folder: this.#folderOf(session) }, cells });
      mostBehind = stream.behindBytes + hopelessBytes;
      send(file);
      send({ type: "runs", runs: runs.runs });
      await new Promise<void>((resolve) => stream.onClose(resolve));
      stop();
    });
  }

  edit(session: string, { path, tab, ...edit }: JsonObject): Promise<PageEditResult> {
    const by = typeof tab === "string" ? tab : null;
    return this.use(session, path, ({ feed }) => feed.edit(edit as unknown as PageNotebookEdit, by));
  }

  /** Runs the cells with these keys; all from one on for `from`; all for neither. */
  async run(session: string, { path, cells, from }: JsonObject): Promise<void> {
    await this.use(session, path, async ({ feed, runs }) => {
      await feed.refresh();
      const { keys } = feed.cells;
      const first = from === undefined ? 0 : keys.indexOf(String(from));
      const wanted = Array.isArray(cells) ? cells.map(String) : keys.slice(Math.max(0, first));
      if (first === -1 || wanted.some((key) => !keys.includes(key))) {
        throw new GranaryError("unknown-id", "Another program has deleted this cell.");
      }
      runs.run(this.#feeds.hold(session), wanted);
      // Cells run on without a reader, as those of a session do.
      void this.use(session, path, () => runs.settled()).catch(() => {});
    });
  }

  async close(): Promise<void> {
    for (const { opening } of this.#open.values()) {
      const opened = await opening.catch(() => null);
      if (opened !== null) close(opened);
    }
  }

  async #openAt(session: string, path: string): Promise<OpenedNotebook> {
    const feed = await NotebookFeed.open({ path, within: await this.#feeds.saveRoots(session, path) });
    return { feed, runs: await NotebookRuns.open(feed, this.#feeds, this.#maxCellMegabytes) };
  }

  #folderOf(session: string): string {
    const { hub } = this.#feeds;
    return hub.sessions.keyOf(this.#feeds.require(session).session).cwd;
  }
}

function close({ feed, runs }: OpenedNotebook): void {
  feed.close();
  runs.close();
}
