import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { objectOf, stringOf } from "../../../kernel/jupyter/messages/to-event.ts";
import { type Answer, noContent, ok, type Route, type RouteRequest, refusal } from "../../../support/http/route.ts";
import type { JsonObject } from "../../../support/json/value.ts";
import type { DoorKernel } from "../kernel/door-kernel.ts";
import type { DoorKernels } from "../kernel/door-kernels.ts";
import { kernelModel, wrongSpec } from "./kernel-routes.ts";

/** Jupyter's session: a notebook and its kernel. Editors find live kernels here, so every kernel has one. */
interface DoorNotebook {
  readonly id: string;
  readonly path: string;
  readonly name: string;
  readonly type: string;
  readonly kernel: DoorKernel;
}

export function sessionRoutes(kernels: DoorKernels): readonly Route[] {
  const notebooks = new DoorNotebooks(kernels);
  const one =
    (handle: (notebook: DoorNotebook, body: JsonObject) => Answer | Promise<Answer>) =>
    ({ named, body }: RouteRequest): Answer | Promise<Answer> => {
      const notebook = notebooks.all.find(({ id }) => id === named.session);
      return notebook === undefined ? refusal(404, `Session not found: ${named.session}`) : handle(notebook, body);
    };
  return [
    { method: "GET", path: "/api/sessions", handle: () => ok(notebooks.all.map(model)) },
    { method: "POST", path: "/api/sessions", handle: ({ body }) => notebooks.open(body) },
    { method: "GET", path: "/api/sessions/:session", handle: one((notebook) => ok(model(notebook))) },
    {
      method: "PATCH",
      path: "/api/sessions/:session",
      handle: one((notebook, body) => notebooks.change(notebook, body)),
    },
    {
      method: "DELETE",
      path: "/api/sessions/:session",
      handle: one(async (notebook) => {
        await notebook.kernel.shutDown();
        return noContent;
      }),
    },
  ];
}

class DoorNotebooks {
  readonly #kernels: DoorKernels;
  #made: readonly DoorNotebook[] = [];

  constructor(kernels: DoorKernels) {
    this.#kernels = kernels;
  }

  get all(): readonly DoorNotebook[] {
    const kernels = this.#kernels.all;
    this.#made = this.#made.filter(({ kernel }) => kernels.includes(kernel));
    const without = kernels.filter((kernel) => !this.#made.some((made) => made.kernel === kernel));
    this.#made = [...this.#made, ...without.map(ownNotebook)];
    return this.#made;
  }

  async open(body: JsonObject): Promise<Answer> {
    const path = stringOf(body.path) || stringOf(objectOf(body.notebook).path);
    const existing = this.all.find((notebook) => notebook.path === path && path !== "");
    if (existing !== undefined) return { status: 201, body: model(existing) };
    const kernel = await this.#kernelFor(body, path);
    if ("status" in kernel) return kernel;
    const type = stringOf(body.type) || "notebook";
    const made = { id: randomUUID(), path, name: stringOf(body.name) || basename(path), type, kernel };
    this.#made = [...this.#made.filter((other) => other.kernel !== kernel), made];
    return { status: 201, body: model(made) };
  }

  async change(notebook: DoorNotebook, body: JsonObject): Promise<Answer> {
    const path = stringOf(body.path) || notebook.path;
    const wanted = objectOf(body.kernel);
    const isOther = wanted.id !== undefined || wanted.name !== undefined;
    const kernel = isOther ? await this.#kernelFor(body, path) : notebook.kernel;
    if ("status" in kernel) return kernel;
    const name = stringOf(body.name) || notebook.name;
    const changed = { ...notebook, path, name, type: stringOf(body.type) || notebook.type, kernel };
    this.#made = this.#made.map((other) => (other.id === notebook.id ? changed : other));
    return ok(model(changed));
  }

  async #kernelFor(body: JsonObject, path: string): Promise<DoorKernel | Answer> {
    const { id, name } = objectOf(body.kernel);
    if (typeof id === "string" && id !== "") {
      return this.#kernels.get(id) ?? refusal(404, `Kernel does not exist: ${id}`);
    }
    return wrongSpec(name) ?? (await this.#kernels.start(path === "" ? null : path, path));
  }
}

/** The notebook of a session that no editor has opened yet. */
function ownNotebook(kernel: DoorKernel): DoorNotebook {
  const name = kernel.session.id;
  return { id: randomUUID(), path: `${basename(kernel.folder)}/${name}`, name, type: "notebook", kernel };
}

function model({ id, path, name, type, kernel }: DoorNotebook): JsonObject {
  return { id, path, name, type, kernel: kernelModel(kernel), notebook: { path, name } };
}
