import { afterEach, expect, test } from "vitest";
import { createGatewayBackend } from "../../../src/kernel/gateway/gateway-backend.ts";
import { urlOn, webSocketUrlOn } from "../../../src/kernel/gateway/rest/gateway-address.ts";
import { ask } from "../../../src/kernel/gateway/rest/rest.ts";
import { until } from "../until.ts";
import { certificate, key } from "./certificate.ts";
import { StandInServer } from "./stand-in-server.ts";

const opened: StandInServer[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

async function standIn(choices: Parameters<typeof StandInServer.start>[0] = {}): Promise<StandInServer> {
  const server = await StandInServer.start(choices);
  opened.push(server);
  return server;
}

const plainStart = { interpreter: "", cwd: "/", env: {} };

test.each([
  ["http://host:8888", "http://host:8888/api/kernels"],
  ["http://host:8888/", "http://host:8888/api/kernels"],
  ["https://host/user/ada", "https://host/user/ada/api/kernels"],
  ["https://host/user/ada//", "https://host/user/ada/api/kernels"],
  ["http://host/lab?token=copied-from-a-browser#top", "http://host/lab/api/kernels"],
  ["http://user:password@host/", "http://host/api/kernels"],
])("below %s, kernels are at %s", (url, kernels) => {
  expect(urlOn({ url }, "api/kernels").href).toBe(kernels);
});

test("a WebSocket's address follows the gateway's", () => {
  expect(webSocketUrlOn({ url: "https://host/a" }, "b", { session_id: "1" }).href).toBe("wss://host/a/b?session_id=1");
  expect(webSocketUrlOn({ url: "http://host" }, "b", {}).href).toBe("ws://host/b");
});

test("the token goes into a header, in the form that every gateway accepts", async () => {
  const server = await standIn();
  await ask({ url: server.url, token: "secret" }, { method: "GET", path: "api/kernelspecs" });
  await ask({ url: server.url }, { method: "GET", path: "api/kernelspecs" });
  expect(server.requests).toMatchObject([{ token: "token secret", url: "/api/kernelspecs" }, { token: "" }]);
});

test("a certificate of a private authority is refused, and accepted when the authority is named", async () => {
  const { url } = await standIn({ tls: { key, cert: certificate } });
  const question = { method: "GET", path: "api/kernelspecs" } as const;
  await expect(ask({ url }, question)).rejects.toThrow(/self-signed/);
  expect((await ask({ url, ca: certificate }, question)).status).toBe(200);
  expect((await ask({ url, validateCertificate: false }, question)).status).toBe(200);
  const refusal = createGatewayBackend({ home: "/nowhere", external: { url } }).start(plainStart);
  await expect(refusal).rejects.toThrow("NODE_EXTRA_CA_CERTS or SSL_CERT_FILE");
});

test("creating a kernel is tried once more when the gateway itself failed, and not when it refused", async () => {
  for (const [status, times] of [
    [503, 2],
    [400, 1],
  ] as const) {
    const server = await standIn({ answer: () => ({ status, body: { message: "Not now" } }) });
    const starting = createGatewayBackend({ home: "/nowhere", external: { url: server.url } }).start(plainStart);
    await expect(starting).rejects.toThrow(`answered ${status}: Not now`);
    expect(server.requests.filter(({ method }) => method === "POST").length).toBe(times);
  }
});

test("the request carries only KERNEL_* variables, and none if there are none", async () => {
  const server = await standIn({ answer: () => ({ status: 400, body: {} }) });
  const external = { url: server.url };
  const variables = { KERNEL_USERNAME: "ada", HOME: "/home/ada" };
  const backends = [{ kernelVariables: variables }, {}].map((choice) =>
    createGatewayBackend({ home: "/nowhere", external, ...choice }),
  );
  for (const backend of backends) await backend.start(plainStart).catch(() => undefined);
  const posted = server.requests.filter(({ method }) => method === "POST").map(({ body }) => JSON.parse(body));
  expect(posted).toEqual([{ name: "python3", env: { KERNEL_USERNAME: "ada" } }, { name: "python3" }]);
});

test("a gateway that is not there is named, with what to check", async () => {
  const server = await standIn();
  const { url } = server;
  await server.close();
  opened.pop();
  const backend = createGatewayBackend({ home: "/nowhere", external: { url, token: "secret" } });
  await expect(backend.start(plainStart)).rejects.toThrow(
    /Could not start a kernel: the gateway at .* cannot be reached \(.*ECONNREFUSED.*\)\. Check the address in PI_PYTHON_GATEWAY_URL/,
  );
  expect(await backend.probe(plainStart)).toMatchObject({ available: false, remedy: expect.stringContaining("Check") });
});

test("a gateway that does not answer in time is reported as such", async () => {
  const server = await standIn({ answer: () => null });
  const backend = createGatewayBackend({ home: "/nowhere", external: { url: server.url } });
  const starting = backend.start({ ...plainStart, signal: AbortSignal.timeout(50) });
  await expect(starting).rejects.toMatchObject({ code: "start-timeout", message: expect.stringContaining("in time") });
});

test("a kernel that starts after its caller gave up is ended", async () => {
  const server = await standIn({ answer: () => later({ status: 201, body: { id: "late" } }) });
  const backend = createGatewayBackend({ home: "/nowhere", external: { url: server.url } });
  const starting = backend.start({ ...plainStart, signal: AbortSignal.timeout(20) });
  await expect(starting).rejects.toMatchObject({ code: "start-timeout" });
  await until("it is ended", () =>
    server.requests.some(({ method, url }) => method === "DELETE" && url === "/api/kernels/late"),
  );
});

function later<T>(value: T): Promise<T> {
  return new Promise((resolve) => setTimeout(resolve, 100, value));
}
