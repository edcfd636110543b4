import { afterAll } from "vitest";
import { sessionsOf } from "../../../src/hosts/jupyter/door-sessions.ts";
import { type MountedDoor, mountJupyterDoor } from "../../../src/hosts/jupyter/mount-jupyter-door.ts";
import type { Runtime } from "../../../src/runtime/runtime.ts";
import type { RuntimeOptions } from "../../../src/runtime/runtime-options.ts";
import { LoopbackPort } from "../../../src/support/http/loopback-port.ts";
import { runtimeIn, temporaryFolder } from "../../runtime/runtimes.ts";

export interface OpenDoor extends MountedDoor {
  readonly port: number;
  readonly runtime: Runtime;
  readonly folder: string;
  rest(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: never }>;
}

/** A door in front of a runtime of its own, closed after the tests of the file. */
export async function openDoor(options: RuntimeOptions = {}): Promise<OpenDoor> {
  const folder = temporaryFolder();
  const runtime = await runtimeIn(folder, {}, options);
  const port = await LoopbackPort.open();
  const mounted = mountJupyterDoor(port, { sessions: sessionsOf(runtime), version: "0.0.0" });
  afterAll(async () => {
    await port.close();
    await runtime.close();
  });
  const rest: OpenDoor["rest"] = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port.port}${path}`, {
      method,
      headers: { Authorization: `token ${mounted.token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === "" ? null : JSON.parse(text)) as never };
  };
  return { ...mounted, port: port.port, runtime, folder, rest };
}
