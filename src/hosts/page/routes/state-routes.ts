import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { saveCells, saySaved } from "../../../hub/history/save-history.ts";
import { noContent, ok, type Route, type RouteRequest, refusal } from "../../../support/http/route.ts";
import type { JsonValue } from "../../../support/json/value.ts";
import type { PageFeeds } from "../feed/page-feeds.ts";
import { tableRows } from "../feed/table-rows.ts";

/** The variables of a session over time: rows of one, undo, restore, branch; and the session as a notebook. */
export function stateRoutes(feeds: PageFeeds): readonly Route[] {
  const at = (action: string): string => `/page/api/sessions/:session/${action}`;
  const idOf = ({ named }: RouteRequest): string => named.session ?? "";
  return [
    {
      method: "POST",
      path: at("rows"),
      handle: async (request) => {
        const { name, start, count, column, isDescending } = request.body;
        const wish = {
          ...{ name: String(name), start: Number(start ?? 0), count: Number(count ?? 100) },
          ...{ column: typeof column === "number" ? column : null, isDescending: isDescending === true },
        };
        return ok((await tableRows(feeds.require(idOf(request)).session, wish)) as unknown as JsonValue);
      },
    },
    {
      method: "GET",
      path: at("states"),
      handle: (request) => ok({ states: feeds.require(idOf(request)).session.checkpoints() as unknown as JsonValue }),
    },
    {
      method: "POST",
      path: at("restore"),
      handle: async (request) => {
        const { state } = request.body;
        // Anything else must not pass for a request to undo the last cell.
        if (state !== undefined && typeof state !== "string") return refusal(400, "A state is named by its id.");
        const { failure, notices } = await feeds.hold(idOf(request)).restore(state ?? {}).result;
        if (failure !== null) return refusal(409, failure.message);
        return ok({ notices });
      },
    },
    {
      method: "POST",
      path: at("branch"),
      handle: async (request) => {
        const { name } = request.body;
        if (typeof name !== "string" || name.trim() === "") return refusal(400, "A branch needs a name.");
        const branch = await feeds.hold(idOf(request)).fork(name.trim());
        return ok({ id: feeds.idOf(branch) });
      },
    },
    {
      method: "POST",
      path: at("save"),
      handle: async (request) => {
        const { file, overwrite } = request.body;
        const { session } = feeds.require(idOf(request));
        if (typeof file !== "string" || !/^[^/\\\0]+\.ipynb$/.test(file)) return refusal(400, notebookName);
        const folder = feeds.hub.sessions.keyOf(session).cwd;
        const path = join(folder, basename(file));
        if (existsSync(path) && overwrite !== true) return refusal(409, `${file} exists already in ${folder}.`);
        const cells = await feeds.hub.history(feeds.hub.sessions.keyOf(session)).read();
        if (cells.length === 0) return refusal(409, "No cell has ended yet, so there is nothing to save.");
        const within = await feeds.saveRoots(idOf(request), path);
        const saved = await saveCells(cells, path, { overwrite: overwrite === true, within, all: false });
        return ok({ path, ...saved, said: saySaved(saved, path) });
      },
    },
    {
      method: "POST",
      path: at("reset"),
      handle: async (request) => {
        const { failure } = await feeds.hold(idOf(request)).reset({ force: request.body.force === true }).result;
        return failure === null ? noContent : refusal(409, failure.message);
      },
    },
  ];
}

const notebookName =
  "The name of a notebook ends with .ipynb, and contains no folder: it is saved in the folder of the session.";
