import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ask } from "../../src/kernel/gateway/rest/rest.ts";
import { chooseBackend, kernelSite, loadBackend } from "../../src/runtime/backend/load-backend.ts";
import { externalGateway } from "../../src/runtime/backend/load-gateway.ts";
import { loadSettings } from "../../src/settings/load-settings.ts";
import type { Settings, SettingsOverrides } from "../../src/settings/settings.ts";
import { certificate, key } from "../kernel/gateway/certificate.ts";
import { StandInServer } from "../kernel/gateway/stand-in-server.ts";
import { temporaryFolder } from "./runtimes.ts";

const home = temporaryFolder();

async function settingsWith(python: SettingsOverrides["python"] = {}): Promise<Settings> {
  return (await loadSettings({ cwd: home, env: {}, home, overrides: { python } })).values;
}

const url = "https://hub.example.org/user/ada";

describe("what cells run on", () => {
  test.each<[why: string, python: SettingsOverrides["python"], wish: Parameters<typeof chooseBackend>[1], is: string]>([
    ["nothing is set", {}, { env: {} }, "runner here"],
    ["there is an external gateway", { gatewayUrl: url }, { env: {} }, "gateway elsewhere"],
    ["Jupyter's variable names one", {}, { env: { JUPYTER_GATEWAY_URL: url } }, "gateway elsewhere"],
    ["there is one, but the runner was chosen", { gatewayUrl: url, backend: "runner" }, { env: {} }, "runner here"],
    ["the gateway was chosen, and there is none", { backend: "gateway" }, { env: {} }, "gateway here"],
    ["a kernelspec was chosen", { kernel: "ir" }, { env: {} }, "zmq here"],
    ["a kernel runs already", { gatewayUrl: url }, { env: {}, attach: "kernel.json" }, "zmq attached"],
  ])("%s", async (_why, python, wish, expected) => {
    const settings = await settingsWith(python);
    expect(`${chooseBackend(settings, wish)} ${kernelSite(settings, wish)}`).toBe(expected);
  });

  test("the runner is not asked for what it cannot run", async () => {
    const settings = await settingsWith({ kernel: "ir", backend: "runner" });
    await expect(loadBackend(settings, { env: {}, home })).rejects.toThrow("Set python.backend to zmq or gateway");
  });
});

describe("an external gateway", () => {
  test("gets the token of the settings where the settings name it, and Jupyter's where Jupyter's variables do", async () => {
    const env = { JUPYTER_GATEWAY_URL: "http://other.example.org", JUPYTER_GATEWAY_AUTH_TOKEN: "theirs" };
    const ours = await externalGateway(await settingsWith({ gatewayUrl: url, gatewayToken: "ours" }), env);
    expect(ours).toEqual({ url, token: "ours" });
    const withoutToken = await externalGateway(await settingsWith({ gatewayUrl: url }), env);
    expect(withoutToken.token).toBeUndefined();
    const theirs = await externalGateway(await settingsWith({ gatewayToken: "ours" }), env);
    expect(theirs).toMatchObject({ url: "http://other.example.org", token: "theirs" });
    const mixed = await externalGateway(await settingsWith({ gatewayToken: "ours" }), { JUPYTER_GATEWAY_URL: url });
    expect(mixed).toMatchObject({ url, token: "ours" });
  });

  test("a file with certificates that cannot be read is named, with the variables that name it", async () => {
    const asked = externalGateway(await settingsWith({ gatewayUrl: url }), { SSL_CERT_FILE: "/nowhere/ca.pem" });
    await expect(asked).rejects.toThrow(/\/nowhere\/ca\.pem cannot be read: .* SSL_CERT_FILE\.$/);
  });

  test("without encryption needs no certificates, so a file with them is not even looked for", async () => {
    const plain = await settingsWith({ gatewayUrl: "http://127.0.0.1:8888" });
    expect(await externalGateway(plain, { SSL_CERT_FILE: "/nowhere/ca.pem" })).not.toHaveProperty("ca");
  });

  test("is trusted with the certificates of SSL_CERT_FILE and those of NODE_EXTRA_CA_CERTS", async () => {
    const [SSL_CERT_FILE, NODE_EXTRA_CA_CERTS] = [join(home, "one.pem"), join(home, "extra.pem")];
    writeFileSync(SSL_CERT_FILE, "");
    writeFileSync(NODE_EXTRA_CA_CERTS, certificate);
    const server = await StandInServer.start({ tls: { key, cert: certificate } });
    try {
      const secure = await settingsWith({ gatewayUrl: server.url });
      const question = { method: "GET", path: "api/kernelspecs" } as const;
      const withBoth = await externalGateway(secure, { SSL_CERT_FILE, NODE_EXTRA_CA_CERTS });
      expect((await ask(withBoth, question)).status).toBe(200);
      const withoutExtra = await externalGateway(secure, { SSL_CERT_FILE });
      await expect(ask(withoutExtra, question)).rejects.toThrow(/self-signed/);
      // Node itself only warns of one that is missing.
      await externalGateway(secure, { SSL_CERT_FILE, NODE_EXTRA_CA_CERTS: "/nowhere/extra.pem" });
    } finally {
      await server.close();
    }
  });
});
