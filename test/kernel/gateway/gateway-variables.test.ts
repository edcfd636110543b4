import { expect, test } from "vitest";
import { authorization, type GatewayAddress } from "../../../src/kernel/gateway/rest/gateway-address.ts";
import { gatewayVariables } from "../../../src/kernel/gateway/rest/gateway-variables.ts";

const url = "https://gateway.example";

test("without an address there is no gateway, even if other variables are set", () => {
  expect(gatewayVariables({ JUPYTER_GATEWAY_AUTH_TOKEN: "t" }).address).toBeNull();
  expect(gatewayVariables({ JUPYTER_GATEWAY_URL: "" }).address).toBeNull();
});

test.each<[what: string, variables: Record<string, string>, header: Record<string, string>]>([
  ["nothing", {}, {}],
  ["a token", { AUTH_TOKEN: "t" }, { Authorization: "token t" }],
  ["a token of another scheme", { AUTH_TOKEN: "t", AUTH_SCHEME: "Bearer" }, { Authorization: "Bearer t" }],
  ["a name and a password", { HTTP_USER: "ada", HTTP_PWD: "x" }, { Authorization: "Basic YWRhOng=" }],
  ["headers of its own", { HEADERS: '{"X-Door": "open"}' }, { "X-Door": "open" }],
  ["headers that are no JSON", { HEADERS: "open" }, {}],
])("%s is sent as people know it from Jupyter", (_what, variables, header) => {
  const named = Object.entries(variables).map(([name, value]) => [`JUPYTER_GATEWAY_${name}`, value]);
  const { address } = gatewayVariables({ JUPYTER_GATEWAY_URL: url, ...Object.fromEntries(named) });
  expect(authorization(address as GatewayAddress)).toEqual(header);
});

test("certificates are checked unless that is turned off, with the authorities of a file", () => {
  const off = { JUPYTER_GATEWAY_URL: url, JUPYTER_GATEWAY_VALIDATE_CERT: "False", SSL_CERT_FILE: "/a.pem" };
  expect(gatewayVariables(off)).toMatchObject({ address: { validateCertificate: false }, caFile: "/a.pem" });
  const on = { ...off, JUPYTER_GATEWAY_VALIDATE_CERT: "yes", JUPYTER_GATEWAY_CA_CERTS: "/b.pem" };
  expect(gatewayVariables(on)).toMatchObject({ address: { validateCertificate: true }, caFile: "/b.pem" });
});

test("KERNEL_* variables are passed to the gateway, and no others", () => {
  const env = { KERNEL_USERNAME: "ada", KERNEL_EMPTY: "", HOME: "/home/ada" };
  expect(gatewayVariables(env).kernelVariables).toEqual({ KERNEL_USERNAME: "ada" });
});
