import type { IncomingMessage } from "node:http";
import type { Visit } from "../../../support/http/router.ts";
import type { PageAccess } from "./page-access.ts";

/** The head of a request to the page. The token comes in a header, and nowhere else. */
export function pageVisit({ headers, method = "GET", url = "/" }: IncomingMessage, access: PageAccess): Visit {
  const { pathname, searchParams } = new URL(url, "http://page");
  const [, token] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "") ?? [];
  return { method, path: pathname, query: searchParams, hasToken: token !== undefined && access.isToken(token) };
}

/** For every answer. The page loads nothing from another host, and no other site can embed it. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Frame-Options": "DENY",
};
