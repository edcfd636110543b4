import { objectOf, stringOf } from "../../../kernel/jupyter/messages/to-event.ts";
import { type Answer, noContent, ok, type Route, type RouteRequest, refusal } from "../../../support/http/route.ts";
import type { JsonObject } from "../../../support/json/value.ts";
import type { DoorKernel } from "../kernel/door-kernel.ts";
import type { DoorKernels } from "../kernel/door-kernels.ts";
import { kernelspecName } from "./server-routes.ts";

export function kernelRoutes(kernels: DoorKernels): readonly Route[] {
  const one =
    (handle: (kernel: DoorKernel) => Answer | Promise<Answer>) =>
    ({ named }: RouteRequest): Answer | Promise<Answer> => {
      const kernel = kernels.get(named.kernel ?? "");
      return kernel === undefined ? refusal(404, `Kernel does not exist: ${named.kernel}`) : handle(kernel);
    };
  return [
    { method: "GET", path: "/api/kernels", handle: () => ok(kernels.all.map(kernelModel)) },
    { method: "POST", path: "/api/kernels", handle: ({ body }) => startKernel(kernels, body) },
    { method: "GET", path: "/api/kernels/:kernel", handle: one((kernel) => ok(kernelModel(kernel))) },
    {
      method: "DELETE",
      path: "/api/kernels/:kernel",
      handle: one(async (kernel) => {
        await kernel.shutDown();
        return noContent;
      }),
    },
    {
      method: "POST",
      path: "/api/kernels/:kernel/interrupt",
      handle: one((kernel) => {
        kernel.interrupt();
        return noContent;
      }),
    },
    {
      method: "POST",
      path: "/api/kernels/:kernel/restart",
      handle: one(async (kernel) => {
        await kernel.restart();
        return ok(kernelModel(kernel));
      }),
    },
  ];
}

export function kernelModel(kernel: DoorKernel): JsonObject {
  return {
    id: kernel.id,
    name: kernelspecName,
    last_activity: kernel.lastActivity.toISOString(),
    execution_state: kernel.state,
    connections: kernel.connections,
  };
}

/** `path` is from JupyterLab, the variable from its gateway client. */
async function startKernel(kernels: DoorKernels, body: JsonObject): Promise<Answer> {
  const wrong = wrongSpec(body.name);
  if (wrong !== null) return wrong;
  const folder = stringOf(objectOf(body.env).KERNEL_WORKING_DIR) || stringOf(body.path);
  const kernel = await kernels.start(null, folder || null);
  return { status: 201, body: kernelModel(kernel) };
}

export function wrongSpec(name: JsonObject[string] | undefined): Answer | null {
  if (name === undefined || name === null || name === "" || name === kernelspecName) return null;
  return refusal(404, `There is no kernelspec ${String(name)}; use ${kernelspecName}.`);
}
