import { stringOf } from "../../../kernel/jupyter/messages/to-event.ts";
import { ok, type Route } from "../../../support/http/route.ts";
import type { JsonObject, JsonValue } from "../../../support/json/value.ts";
import { lookText } from "../../../tools/executions/look-text.ts";
import type { PageFeeds } from "../feed/page-feeds.ts";

/** Questions about a session that run no cell: completion, inspection, variables, the stack of the running cell. */
export function questionRoutes(feeds: PageFeeds): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/page/api/sessions/:session/complete",
      handle: async ({ named, body }) => {
        const { session } = feeds.require(named.session ?? "");
        const { code, cursor } = position(body);
        return ok((await session.complete(code, cursor)) as unknown as JsonValue);
      },
    },
    {
      method: "POST",
      path: "/page/api/sessions/:session/inspect",
      handle: async ({ named, body }) => {
        const { session } = feeds.require(named.session ?? "");
        const { code, cursor } = position(body);
        const described = (await session.inspect(code, cursor))["text/plain"];
        return ok({ text: typeof described === "string" ? described : null });
      },
    },
    {
      method: "GET",
      path: "/page/api/sessions/:session/variables",
      handle: async ({ named }) => {
        const { session } = feeds.require(named.session ?? "");
        return ok((await session.variables({ maxVariables: 500 })) as unknown as JsonValue);
      },
    },
    {
      method: "GET",
      path: "/page/api/sessions/:session/look",
      handle: async ({ named }) => {
        const { session } = feeds.require(named.session ?? "");
        const execution = session.busyWith;
        return ok({ text: execution === null ? null : lookText(execution, await execution.look()) });
      },
    },
  ];
}

/** A cursor in UTF-16 units, as in the browser. */
function position({ code, cursor }: JsonObject): { readonly code: string; readonly cursor: number } {
  const text = stringOf(code);
  return { code: text, cursor: typeof cursor === "number" ? Math.min(Math.max(0, cursor), text.length) : text.length };
}
