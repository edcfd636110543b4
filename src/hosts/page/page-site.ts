import type { IncomingMessage } from "node:http";
import type { Hub } from "../../hub/server/hub.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { isGranaryError } from "../../support/granary-error.ts";
import type { Site } from "../../support/http/loopback-port.ts";
import type { Answer, Route } from "../../support/http/route.ts";
import { Router } from "../../support/http/router.ts";
import { PageAccess } from "./access/page-access.ts";
import { pageHeaders, pageVisit } from "./access/page-visit.ts";
import { frameRoutes } from "./assets/html-frame.ts";
import { assetRoutes } from "./assets/page-assets.ts";
import { PageFeeds } from "./feed/page-feeds.ts";
import { PageNotebooks } from "./notebook/page-notebooks.ts";
import { artifactRoutes } from "./routes/artifact-routes.ts";
import { cellRoutes } from "./routes/cell-routes.ts";
import { notebookRoutes } from "./routes/notebook-routes.ts";
import { questionRoutes } from "./routes/question-routes.ts";
import { sessionListRoutes } from "./routes/session-list-routes.ts";
import { stateRoutes } from "./routes/state-routes.ts";
import { tokenRoutes } from "./routes/token-routes.ts";

export interface PageSiteOptions {
  readonly hub: Hub;
  /** Starts sessions for the page. */
  readonly runtime: Runtime;
}

/** Code of a cell is the longest that a browser sends. */
const longestBody = 8_000_000;
const noToken = "Forbidden: open the page with `granary page`.";

/** The page: its files, and the routes that it uses. Everything is refused that is not in its table or has no token. */
export class PageSite implements Site {
  readonly access = new PageAccess();
  readonly routes: readonly Route[];
  readonly handle: Router["handle"];
  readonly #feeds: PageFeeds;
  readonly #notebooks: PageNotebooks;

  constructor({ hub, runtime }: PageSiteOptions) {
    this.#feeds = new PageFeeds(hub, runtime);
    this.#notebooks = new PageNotebooks(this.#feeds, runtime.settings.notebook.maxCellMegabytes);
    this.routes = [
      ...assetRoutes(),
      ...frameRoutes,
      ...tokenRoutes(this.access),
      ...sessionListRoutes(this.#feeds),
      ...cellRoutes(this.#feeds),
      ...questionRoutes(this.#feeds),
      ...notebookRoutes(this.#notebooks),
      ...stateRoutes(this.#feeds),
      ...artifactRoutes(runtime.artifactRoot),
    ];
    this.handle = new Router({
      ...{ routes: this.routes, noToken, longestBody, headers: pageHeaders, explain },
      visit: (request: IncomingMessage) => pageVisit(request, this.access),
      onError: (error) => hub.options.log(`page: ${error instanceof Error ? (error.stack ?? error.message) : error}`),
    }).handle;
  }

  async close(): Promise<void> {
    await this.#notebooks.close();
    await this.#feeds.close();
  }
}

function explain(error: unknown): Answer | null {
  if (!isGranaryError(error)) return null;
  return { status: 409, body: { message: error.message, code: error.code } };
}
