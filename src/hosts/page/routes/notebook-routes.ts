import { noContent, ok, type Route, refusal } from "../../../support/http/route.ts";
import type { JsonValue } from "../../../support/json/value.ts";
import type { PageNotebooks } from "../notebook/page-notebooks.ts";

/** Notebooks below the folder of a session: follow one, edit it, run its cells in the session. */
export function notebookRoutes(notebooks: PageNotebooks): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/page/api/sessions/:session/notebooks",
      handle: async ({ named }) => ok((await notebooks.list(named.session ?? "")) as unknown as JsonValue),
    },
    {
      method: "GET",
      path: "/page/api/sessions/:session/notebook/events",
      handle: async ({ named, query }) => {
        const { session = "" } = named;
        const path = query.get("path");
        // A problem with the notebook is the answer to the request.
        await notebooks.use(session, path, () => {});
        return {
          status: 200,
          follow: (stream) => void notebooks.follow(session, path, stream).catch(() => stream.close()),
        };
      },
    },
    {
      method: "POST",
      path: "/page/api/sessions/:session/notebook/edit",
      handle: async ({ named, body }) => ok((await notebooks.edit(named.session ?? "", body)) as unknown as JsonValue),
    },
    {
      method: "POST",
      path: "/page/api/sessions/:session/notebook/run",
      handle: async ({ named, body }) => {
        await notebooks.run(named.session ?? "", body);
        return noContent;
      },
    },
    {
      method: "POST",
      path: "/page/api/sessions/:session/notebook/interrupt",
      handle: async ({ named, body }) => {
        await notebooks.use(named.session ?? "", body.path, ({ runs }) => runs.interrupt());
        return noContent;
      },
    },
    {
      method: "POST",
      path: "/page/api/sessions/:session/notebook/answer",
      handle: async ({ named, body }) => {
        const text = String(body.text ?? "");
        const isTaken = await notebooks.use(named.session ?? "", body.path, ({ runs }) => runs.answer(text));
        return isTaken ? noContent : refusal(409, "No cell of the notebook waits for an answer.");
      },
    },
    {
      method: "POST",
      path: "/page/api/sessions/:session/notebook/save-again",
      handle: async ({ named, body }) => {
        await notebooks.use(named.session ?? "", body.path, ({ feed }) => feed.saveAgain());
        return noContent;
      },
    },
  ];
}
