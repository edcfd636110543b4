import { ok, type Route, refusal } from "../../../support/http/route.ts";
import type { PageAccess } from "../access/page-access.ts";

const usedCode = "This address was used before, or is too old. Open the page with: granary page";

export function tokenRoutes(access: PageAccess): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/page/api/token",
      isOpen: true,
      handle: ({ body }) => {
        const token = typeof body.code === "string" ? access.exchange(body.code) : null;
        return token === null ? refusal(403, usedCode) : ok({ token });
      },
    },
  ];
}
