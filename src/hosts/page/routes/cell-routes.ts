import { noContent, ok, type Route, refusal } from "../../../support/http/route.ts";
import type { JsonValue } from "../../../support/json/value.ts";
import { anybodyAnswers } from "../feed/anybody-answers.ts";
import type { PageFeeds } from "../feed/page-feeds.ts";

/** A session's cells: follow them, run one, stop one, answer one. */
export function cellRoutes(feeds: PageFeeds): readonly Route[] {
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
        const { id: cell } = feeds.hold(id).run(body.code, { forms: "all", answer: anybodyAnswers });
        return ok({ id: cell });
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
      handle: ({ named, body }) => {
        const { session } = feeds.require(named.session ?? "");
        const question = session.work.find(({ id }) => id === body.cell)?.question ?? null;
        if (question === null) return refusal(409, "The cell no longer waits for an answer.");
        question.answer(String(body.text ?? ""));
        return noContent;
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
