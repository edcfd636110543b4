import { describe, expect, test } from "vitest";
import { chooseBackend, kernelSite } from "../../src/runtime/choose-backend.ts";
import { loadBackend } from "../../src/runtime/load-backend.ts";
import { externalGateway } from "../../src/runtime/load-gateway.ts";
import { loadSettings } from "../../src/settings/load-settings.ts";
import type { Settings, SettingsOverrides } from "../../src/settings/settings.ts";
import { temporaryFolder } from "./runtimes.ts";

const home = temporaryFolder();

async function settingsWith(python: SettingsOverrides["python"] = {}): Promise<Settings> {
  return (await loadSettings({ cwd: home, env: {}, home, overrides: { python } })).values;
}

const url = "https://hub.example.org/user/ada";

describe("what cells run on", () => {
  test.each<[why: string, python: SettingsOverrides["python"], wish: Parameters<typeof chooseBackend>[1], is: string]>([
    ["nobody has chosen", {}, { env: {} }, "runner here"],
    ["there is an external gateway", { gatewayUrl: url }, { env: {} }, "gateway elsewhere"],
    ["Jupyter's clients are told of one", {}, { env: { JUPYTER_GATEWAY_URL: url } }, "gateway elsewhere"],
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
    await expect(asked).rejects.toThrow(/\/nowhere\/ca\.pem cannot be read .* SSL_CERT_FILE\.$/);
  });
});
