import { describe, expect, test } from "vitest";
import { type Attempt, attemptAt, wrongPlaces } from "../http-attempt.ts";
import { openPage } from "./open-page.ts";

const page = await openPage();
const agent = page.runtime.session("agent");
await agent.run("secret = 1").result;
const listed = await page.rest<{ sessions: readonly { id: string }[] }>("GET", "sessions");
const session = listed.body.sessions[0]?.id ?? "";

const open = ["GET /page", "GET /page/assets/:file", "GET /page/frame", "POST /page/api/token"];
const fill = (path: string): string => path.replace(":session", session).replace(":file", "main.js");
const routes = page.site.routes.map(({ method, path }) => [`${method} ${path}`, method, fill(path)] as const);
const closed = routes.filter(([name]) => !open.includes(name));
const attempt = (what: Attempt): Promise<number> => attemptAt(page.port, what);
const token = { Authorization: `Bearer ${page.token}` };

test("the table has the routes of the documentation, and no others", () => {
  expect(routes.map(([name]) => name)).toEqual([
    ...open,
    "GET /page/api/sessions",
    "GET /page/api/events",
    "GET /page/api/sessions/:session/events",
    "GET /page/api/sessions/:session/cells",
    "POST /page/api/sessions/:session/run",
    "POST /page/api/sessions/:session/interrupt",
    "POST /page/api/sessions/:session/answer",
    "POST /page/api/sessions/:session/stop",
    "POST /page/api/sessions/:session/complete",
    "POST /page/api/sessions/:session/inspect",
    "GET /page/api/sessions/:session/variables",
    "GET /page/api/sessions/:session/look",
    "GET /page/api/sessions/:session/notebooks",
    "GET /page/api/sessions/:session/notebook/events",
    "POST /page/api/sessions/:session/notebook/edit",
    "POST /page/api/sessions/:session/notebook/run",
    "POST /page/api/sessions/:session/notebook/interrupt",
    "POST /page/api/sessions/:session/notebook/answer",
    "POST /page/api/sessions/:session/notebook/save-again",
    "POST /page/api/sessions/:session/rows",
    "GET /page/api/sessions/:session/states",
    "POST /page/api/sessions/:session/restore",
    "POST /page/api/sessions/:session/branch",
    "POST /page/api/sessions/:session/save",
    "POST /page/api/sessions/:session/reset",
    "GET /page/api/artifacts/:artifact",
  ]);
});

describe("every route is refused", () => {
  const wrongTokens: readonly [string, Partial<Attempt>][] = [
    ["no token", {}],
    ["a wrong token", { headers: { Authorization: `Bearer ${page.token.slice(1)}0` } }],
    ["an empty token", { headers: { Authorization: "Bearer " } }],
    ["the token as a cookie", { headers: { Cookie: `granary-token=${page.token}` } }],
  ];
  test.each(wrongTokens)("with %s", async (_, how) => {
    for (const [name, method, path] of closed)
      expect([name, await attempt({ method, path, ...how })]).toEqual([name, 403]);
  });

  test("with the token in the address", async () => {
    for (const [, method, path] of closed) {
      expect(await attempt({ method, path: `${path}?token=${page.token}` })).toBe(403);
      expect(await attempt({ method, path: `/token/${page.token}${path}` })).toBe(403);
    }
  });

  test.each(wrongPlaces(page.port))("with %s, even with the token", async (_, headers) => {
    for (const [name, method, path] of routes) {
      expect([name, await attempt({ method, path, headers: { ...token, ...headers } })]).toEqual([name, 403]);
    }
    expect(await attempt({ path: "/page/api/events", isUpgrade: true, headers: { ...token, ...headers } })).toBe(403);
  });

  test("where there is none, and without a token nothing says so", async () => {
    for (const path of ["/page/api/none", "/page/../etc", "/page/api/sessions/none/none"]) {
      expect(await attempt({ path })).toBe(403);
    }
    for (const path of ["/page/api/none", "/page/none", "/page/api/sessions/none/none/none"]) {
      expect(await attempt({ path, headers: token })).toBe(404);
    }
    expect(await attempt({ method: "DELETE", path: "/page/api/sessions", headers: token })).toBe(405);
    // No other site is on this port.
    for (const path of ["/", "/api", "/api/kernels", "/pages"]) {
      expect(await attempt({ path, headers: token })).toBe(403);
    }
  });

  test("as an upgrade, with the token or without", async () => {
    for (const [, , path] of routes) {
      expect(await attempt({ path, isUpgrade: true })).toBe(403);
      expect(await attempt({ path, isUpgrade: true, headers: token })).toBe(403);
    }
  });

  test("and nothing of it has happened", async () => {
    expect((await agent.run("secret").result).output).toBe("1\n");
  });
});

describe("a code", () => {
  const exchange = (code: unknown): Promise<Response> =>
    fetch(`http://127.0.0.1:${page.port}/page/api/token`, { method: "POST", body: JSON.stringify({ code }) });

  test("opens the page once", async () => {
    const code = page.site.access.newCode();
    const first = await exchange(code);
    const { token } = (await first.json()) as { readonly token: string };
    expect(await attempt({ path: "/page/api/sessions", headers: { Authorization: `Bearer ${token}` } })).toBe(200);
    expect((await exchange(code)).status).toBe(403);
  });

  test("cannot be guessed, and is no token", async () => {
    for (const wrong of ["", "x", 1, null, {}]) expect((await exchange(wrong)).status).toBe(403);
    const code = page.site.access.newCode();
    expect(await attempt({ path: "/page/api/sessions", headers: { Authorization: `Bearer ${code}` } })).toBe(403);
  });
});

test("every answer forbids scripts and frames of others", async () => {
  for (const path of ["/page", "/page/assets/main.js", "/page/api/sessions", "/page/none"]) {
    const { headers } = await fetch(`http://127.0.0.1:${page.port}${path}`);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("set-cookie")).toBeNull();
  }
});

test("HTML of a cell gets a document without an origin, which can load and send nothing", async () => {
  const { headers } = await fetch(`http://127.0.0.1:${page.port}/page/frame`);
  const policy = headers.get("content-security-policy") ?? "";
  for (const rule of ["sandbox allow-scripts;", "default-src 'none'", "connect-src 'none'", "form-action 'none'"]) {
    expect(policy).toContain(rule);
  }
  expect(policy).not.toMatch(/allow-same-origin|https?:|'self'.*'self'/);
});

test("files of the page come from its own folder only, with a version", async () => {
  const at = (path: string, headers = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${page.port}/page/assets/${path}`, { headers });
  const script = await at("main.js");
  expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  const version = script.headers.get("etag") ?? "";
  expect((await at("main.js", { "If-None-Match": version })).status).toBe(304);
  for (const wrong of [
    "..%2f..%2fpackage.json",
    "%2e%2e%2fmain.js",
    ".built-from",
    "none.js",
    "main.js%00.html",
    "main.map",
  ]) {
    expect((await at(wrong)).status).toBe(404);
  }
});

test("a body that is too long or no JSON gets a sentence", async () => {
  const run = (body: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${page.port}/page/api/sessions/${session}/run`, { method: "POST", headers: token, body });
  expect((await run("{")).status).toBe(400);
  expect((await run('{"code": 1}')).status).toBe(400);
  expect((await run(JSON.stringify({ code: "x".repeat(9_000_000) }))).status).toBe(400);
  expect((await page.rest("POST", "sessions/none/run", { code: "1" })).status).toBe(409);
});
