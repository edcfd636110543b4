import { KernelError } from "../kernel/errors.ts";
import type { KernelBackend } from "../kernel/kernel.ts";
import type { Settings } from "../settings/settings.ts";

export type BackendName = KernelBackend["name"];

/** What `python.backend` means: `auto` is the external gateway when there is one, else the embedded runner. */
export function chooseBackend({ python }: Settings): BackendName {
  if (python.backend !== "auto") return python.backend;
  return python.gatewayUrl === null ? "runner" : "gateway";
}

/** Loads only the backend that is used. */
export async function loadBackend(settings: Settings): Promise<KernelBackend> {
  const name = chooseBackend(settings);
  if (name === "gateway" && settings.python.gatewayUrl === null && !settings.python.sharedGateway) {
    throw new KernelError("start-failed", "Shared Python gateway required; local gateways are disabled");
  }
  switch (name) {
    case "runner": {
      const { createRunnerBackend } = await import("../kernel/runner/runner-backend.ts");
      return createRunnerBackend();
    }
    case "zmq": {
      const { createZmqBackend } = await import("../kernel/zmq/zmq-backend.ts");
      return createZmqBackend();
    }
    case "gateway":
      throw new KernelError(
        "start-failed",
        "This version of Granary has no gateway backend yet. Set python.backend to runner or zmq.",
      );
  }
}
