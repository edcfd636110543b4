import { noContent, ok, type Route, refusal } from "../../../support/http/route.ts";
import type { JsonValue } from "../../../support/json/value.ts";
import type { PageFeeds } from "../feed/page-feeds.ts";
import { PageInput } from "../feed/page-input.ts";

/** A session's cells: follow them, run one, stop one, answer one. */
export function cellRoutes(feeds: PageFeeds): readonly Route[] {
  const input = new PageInput();
  return [
    {
      method: "GET",
      path: "/page/api/sessions/:session/events",
      handle: ({ named }) => {
        const { session: id = "" } = named;
        feeds.require(id);
        return { status: 200, follow: (stream) => void feeds.followSession(id, stream) };
      },
    },
    {
      method: "GET",
      path: "/page/api/sessions/:session/cells",
      handle: async ({ named, query }) =>
        ok((await feeds.earlierCells(named.session ?? "", query.get("before") ?? "")) as unknown as JsonValue),
    },
    {
      method: "POST",
      path: "/page/api/sessions/:session/run",
      handle: ({ named, body }) => {
        const { session: id = "" } = named;
        if (typeof body.code !== "string" || body.code.trim() === "") return refusal(400, "A run needs code.");
        const { feed } = feeds.require(id);
        const execution = input.run(feeds.hold(id), feed, body.code);
        return ok({ id: execution.id });
      },
    },
    {
      method: "POST",
      path: "/page/api/sessions/:session/interrupt",
      handle: ({ named, body }) => {
        const { session } = feeds.require(named.session ?? "");
        const wanted = session.work.find(({ id }) => id === body.cell);
        if (body.cell !== undefined && wanted === undefined) return noContent;
        void (wanted ?? session).interrupt();
        return noContent;
      },
    },
    {
      method: "POST",
      path: "/page/api/sessions/:session/answer",
      handle: ({ body }) => {
        const isTaken = input.answer(String(body.cell), String(body.text ?? ""));
        return isTaken ? noContent : refusal(409, "The cell no longer waits for an answer.");
      },
    },
    {
      method: "POST",
      path: "/page/api/sessions/:session/stop",
      handle: async ({ named }) => {
        const { session } = feeds.require(named.session ?? "");
        await feeds.hub.sessions.pool.remove(session, "The session was stopped from the page.");
        return noContent;
      },
    },
  ];
}
