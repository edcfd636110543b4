import type { Hub, HubRequests } from "../../../../hub/server/hub.ts";
import { createRuntime } from "../../../../runtime/runtime.ts";
import { hubPort } from "./hub-port.ts";
import type { SiteWish } from "./site-address.ts";

type PageSite = import("../../../page/page-site.ts").PageSite;

const sites = new WeakMap<Hub, Promise<{ readonly site: PageSite; readonly origin: string }>>();

/** `granary page` in the hub: every request makes a code that opens the page once. */
export const pageRequests: HubRequests = (hub) => ({
  page: async (wish: SiteWish) => {
    const opened = sites.get(hub) ?? open(hub, wish);
    sites.set(hub, opened);
    opened.catch(() => sites.delete(hub));
    const { site, origin } = await opened;
    return { address: `${origin}/page#code=${site.access.newCode()}` };
  },
});

async function open(hub: Hub, { cwd, env }: SiteWish): Promise<{ site: PageSite; origin: string }> {
  const [{ PageSite }, port, runtime] = await Promise.all([
    import("../../../page/page-site.ts"),
    hubPort(hub),
    createRuntime({ cwd, env, sessions: hub.sessions }),
  ]);
  const site = new PageSite({ hub, runtime });
  port.mount("page", site);
  return { site, origin: `http://127.0.0.1:${port.port}` };
}
