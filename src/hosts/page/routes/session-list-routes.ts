import { ok, type Route } from "../../../support/http/route.ts";
import type { JsonValue } from "../../../support/json/value.ts";
import type { PageFeeds } from "../feed/page-feeds.ts";

export function sessionListRoutes(feeds: PageFeeds): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/page/api/sessions",
      handle: () => ok({ sessions: feeds.sessions as unknown as JsonValue }),
    },
    {
      method: "GET",
      path: "/page/api/events",
      handle: () => ({ status: 200, follow: (stream) => feeds.followList(stream) }),
    },
  ];
}
