import { afterAll } from "vitest";
import { PageSite } from "../../../src/hosts/page/page-site.ts";
import { Hub } from "../../../src/hub/server/hub.ts";
import type { Runtime } from "../../../src/runtime/runtime.ts";
import { loadSettings } from "../../../src/settings/load-settings.ts";
import { LoopbackPort } from "../../../src/support/http/loopback-port.ts";
import { runtimeIn, temporaryFolder } from "../../runtime/runtimes.ts";

export interface OpenPage {
  readonly hub: Hub;
  readonly site: PageSite;
  readonly port: number;
  /** Of an agent, whose sessions the page shows. */
  readonly runtime: Runtime;
  readonly folder: string;
  /** Opens the page once. */
  address(): string;
  /** Lines of the hub's log. */
  readonly logged: readonly string[];
  /** For requests without a browser. */
  readonly token: string;
  rest<T>(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: T }>;
}

/** A page in front of a hub of this process, closed after the tests of the file. */
export async function openPage(settings: Readonly<Record<string, string>> = {}): Promise<OpenPage> {
  const folder = temporaryFolder();
  const { values } = await loadSettings({ cwd: folder, env: settings, home: folder });
  const hub = new Hub({
    ...{ folder, home: folder, socket: `${folder}/hub.sock`, token: "hub", version: "0.0.0" },
    ...{ settings: values, requests: [], log: (line: string) => logged.push(line) },
  });
  const logged: string[] = [];
  const runtime = await runtimeIn(folder, {}, { sessions: hub.sessions });
  const port = await LoopbackPort.open();
  const site = new PageSite({ hub, runtime });
  port.mount("page", site);
  afterAll(async () => {
    await port.close();
    await hub.close();
    await runtime.close();
  });
  const token = site.access.exchange(site.access.newCode()) ?? "";
  const rest: OpenPage["rest"] = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port.port}/page/api/${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? null : JSON.parse(text) };
  };
  const address = (): string => `http://127.0.0.1:${port.port}/page#code=${site.access.newCode()}`;
  return { hub, site, port: port.port, runtime, folder, logged, address, token, rest };
}
