import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { packageFile } from "../../../support/files/package-file.ts";
import { type Answer, type Route, type RouteRequest, refusal } from "../../../support/http/route.ts";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

/** The built page: `npm run build` makes `dist/page`. These routes are open, because they contain no secrets. */
export function assetRoutes(): readonly Route[] {
  return [
    { method: "GET", path: "/page", isOpen: true, handle: (request) => asset("index.html", request) },
    {
      method: "GET",
      path: "/page/assets/:file",
      isOpen: true,
      handle: (request) => asset(request.named.file, request),
    },
  ];
}

async function asset(name: string | undefined, { knownVersion }: RouteRequest): Promise<Answer> {
  const type = /^[\w-]+(?:\.[\w-]+)*$/.test(name ?? "") ? types[extname(name ?? "")] : undefined;
  if (name === undefined || type === undefined) return refusal(404, "There is no such file.");
  const content = await readFile(join(packageFile("dist/page"), name)).catch(() => null);
  if (content === null) return refusal(404, `There is no ${name}. In a checkout: npm run build`);
  const version = `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;
  const headers = { "Content-Type": type, "Cache-Control": "no-cache", ETag: version };
  return knownVersion === version ? { status: 304, headers, content: "" } : { status: 200, headers, content };
}
