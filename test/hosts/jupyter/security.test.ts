import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { channelsPath } from "../../../src/hosts/jupyter/jupyter-door.ts";
import { type Attempt, attemptAt, wrongPlaces } from "../http-attempt.ts";
import { openDoor } from "./open-door.ts";

const door = await openDoor();
await door.runtime.session("agent").run("secret = 1").result;
const { body } = await door.rest("GET", "/api/sessions");
const [{ id: session, kernel }] = body as [{ id: string; kernel: { id: string } }];

const fill = (path: string): string =>
  path.replace(":kernel", kernel.id).replace(":session", session).replace(":name", "python3");
const open = ["GET /", "GET /tree", "GET /api"];
const routes = door.door.routes.map(({ method, path }) => [`${method} ${path}`, method, fill(path)] as const);
const closed = routes.filter(([name]) => !open.includes(name));
const upgrade = fill(channelsPath);

const attempt = (what: Attempt): Promise<number> => attemptAt(door.port, what);
const token = { Authorization: `token ${door.token}` };
const wrongTokens: readonly [string, Partial<Attempt>][] = [
  ["no token", {}],
  ["a wrong token in the header", { headers: { Authorization: `token ${door.token.slice(1)}0` } }],
  ["an empty token", { headers: { Authorization: "token " } }],
  ["the token as a cookie", { headers: { Cookie: `token=${door.token}` } }],
];
const places = wrongPlaces(door.port);

test("the table has the routes of the documentation, and no others", () => {
  expect(routes.map(([name]) => name)).toEqual([
    ...open,
    "GET /api/status",
    "GET /api/me",
    "GET /api/kernelspecs",
    "GET /api/kernelspecs/:name",
    "GET /api/kernels",
    "POST /api/kernels",
    "GET /api/kernels/:kernel",
    "DELETE /api/kernels/:kernel",
    "POST /api/kernels/:kernel/interrupt",
    "POST /api/kernels/:kernel/restart",
    "GET /api/sessions",
    "POST /api/sessions",
    "GET /api/sessions/:session",
    "PATCH /api/sessions/:session",
    "DELETE /api/sessions/:session",
  ]);
});

describe("every route is refused", () => {
  test.each(wrongTokens)("with %s", async (_, how) => {
    for (const [, method, path] of closed) expect(await attempt({ method, path, ...how })).toBe(403);
    expect(await attempt({ path: upgrade, isUpgrade: true, ...how })).toBe(403);
    expect(await attempt({ path: `${upgrade}?token=wrong`, isUpgrade: true, ...how })).toBe(403);
  });

  test.each(places)("with %s, even with the token", async (_, headers) => {
    for (const [, method, path] of routes) {
      expect(await attempt({ method, path, headers: { ...token, ...headers } })).toBe(403);
    }
    expect(await attempt({ path: upgrade, isUpgrade: true, headers: { ...token, ...headers } })).toBe(403);
  });

  test("where there is none, and without a token nothing says so", async () => {
    for (const path of ["/api/contents", "/api/kernels/none", "/files/x", "/%zz", "/api/kernels/../../etc"]) {
      expect(await attempt({ path })).toBe(403);
      expect(await attempt({ path, headers: token })).toBe(404);
    }
    expect(await attempt({ method: "PUT", path: "/api/kernels", headers: token })).toBe(405);
    expect(await attempt({ path: "/api/kernels/none/channels", isUpgrade: true, headers: token })).toBe(404);
  });

  test.each(["/\\", "//[", "http://"])("at %s, which is no address, also for an upgrade", async (path) => {
    for (const isUpgrade of [false, true]) {
      expect(await attempt({ path, isUpgrade })).toBe(403);
      expect(await attempt({ path, isUpgrade, headers: token })).toBe(404);
    }
  });

  test("and nothing of it has happened", async () => {
    expect((await door.runtime.session("agent").run("secret").result).output).toBe("1\n");
    expect(door.runtime.sessions).toHaveLength(1);
  });
});

describe("the token is accepted", () => {
  const origin = { Origin: `http://127.0.0.1:${door.port}` };
  const ways: readonly [string, string, Record<string, string>][] = [
    ["in Jupyter's header", "", token],
    ["as a bearer", "", { Authorization: `Bearer ${door.token}` }],
    ["in the query", `?token=${door.token}`, {}],
    ["with our own origin", "", { ...token, ...origin }],
  ];
  test.each(ways)("%s", async (_, query, headers) => {
    expect(await attempt({ path: `/api/kernels${query}`, headers })).toBe(200);
    expect(await attempt({ path: `${upgrade}${query}`, isUpgrade: true, headers })).toBe(101);
  });

  test("before the path, for clients that can send it nowhere else", async () => {
    expect(await attempt({ path: `/token/${door.token}/api/kernels` })).toBe(200);
    expect(await attempt({ path: `/token/${door.token}${upgrade}`, isUpgrade: true })).toBe(101);
    expect(await attempt({ path: "/token/wrong/api/kernels" })).toBe(403);
  });
});

test("an editor that looks at the server first is not sent to a login", async () => {
  for (const path of ["/", "/tree", "/tree?", "/api"]) expect(await attempt({ path })).toBe(200);
});

test("a message that is none closes the connection, and nobody else's", async () => {
  const { default: WebSocket } = await import("ws");
  const url = `ws://127.0.0.1:${door.port}${upgrade}?token=${door.token}`;
  for (const data of ["{}", "[1]", "no JSON", Buffer.from([1, 2, 3])]) {
    const socket = new WebSocket(url);
    await once(socket, "open");
    socket.send(data);
    const [code] = await once(socket, "close");
    expect(code).toBe(1007);
  }
  expect((await door.rest("GET", "/api/kernels")).status).toBe(200);
});

test("a body that is too long or no JSON gets a sentence", async () => {
  const post = (text: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${door.port}/api/kernels`, { method: "POST", headers: token, body: text });
  expect((await post("{")).status).toBe(400);
  expect((await post(`"${"x".repeat(1_100_000)}"`)).status).toBe(400);
  expect((await post(JSON.stringify({ name: "julia" }))).status).toBe(404);
});
