import { userInfo } from "node:os";
import { ok, type Route, refusal } from "../../../support/http/route.ts";
import type { JsonObject } from "../../../support/json/value.ts";
import type { DoorKernels } from "../kernel/door-kernels.ts";

/** The name of the only kernelspec: notebooks usually ask for it. */
export const kernelspecName = "python3";

/** The version of Jupyter Server whose interface this is. */
const apiVersion = "2.17.0";

const kernelspec: JsonObject = {
  name: kernelspecName,
  spec: {
    argv: ["granary"],
    display_name: "Granary (Python)",
    language: "python",
    env: {},
    interrupt_mode: "message",
    metadata: {},
  },
  resources: {},
};

/** The server itself. Editors load the first three without a token, to see whether they need to log in. */
export function serverRoutes(kernels: DoorKernels): readonly Route[] {
  const started = new Date().toISOString();
  return [
    { method: "GET", path: "/", isOpen: true, handle: () => ok({}) },
    { method: "GET", path: "/tree", isOpen: true, handle: () => ok({}) },
    { method: "GET", path: "/api", isOpen: true, handle: () => ok({ version: apiVersion }) },
    { method: "GET", path: "/api/status", handle: () => ok(status(kernels, started)) },
    { method: "GET", path: "/api/me", handle: () => ok(me()) },
    {
      method: "GET",
      path: "/api/kernelspecs",
      handle: () => ok({ default: kernelspecName, kernelspecs: { [kernelspecName]: kernelspec } }),
    },
    {
      method: "GET",
      path: "/api/kernelspecs/:name",
      handle: ({ named }) =>
        named.name === kernelspecName
          ? ok(kernelspec)
          : refusal(404, `There is no kernelspec ${named.name}; use ${kernelspecName}.`),
    },
  ];
}

function status(kernels: DoorKernels, started: string): JsonObject {
  const { all } = kernels;
  const last = Math.max(Date.parse(started), ...all.map(({ lastActivity }) => lastActivity.getTime()));
  return {
    started,
    last_activity: new Date(last).toISOString(),
    connections: all.reduce((sum, { connections }) => sum + connections, 0),
    kernels: all.length,
  };
}

function me(): JsonObject {
  const { username } = userInfo();
  const identity = {
    username,
    name: username,
    display_name: username,
    initials: username.slice(0, 1).toUpperCase(),
    avatar_url: null,
    color: null,
  };
  return { identity, permissions: {} };
}
