import { expect, test } from "vitest";
import type { JupyterMessage } from "../../../src/kernel/jupyter/messages/message.ts";
import { py } from "../../kernel/py.ts";
import { until } from "../../kernel/until.ts";
import { DoorUser } from "./door-user.ts";
import { openDoor } from "./open-door.ts";

/**
 * VS Code's extension cannot run here. This is its conversation with an existing server, by its public source: the same
 * requests in the same order, and code of the same form as the code that it runs unseen.
 */
const door = await openDoor();
await door.runtime.session("agent").run("rows = [1, 2]\nname = 'Ada'").result;
const hidden = { silent: false, store_history: false, allow_stdin: false, stop_on_error: false };

const printed = (messages: readonly JupyterMessage[]): string =>
  messages.map(({ content }) => (typeof content.text === "string" ? content.text : "")).join("");
const statusOf = (messages: readonly JupyterMessage[]): unknown =>
  messages.find(({ header }) => header.msg_type === "execute_reply")?.content.status;

/** Runs code in a thread of the kernel: the answer is an update of a display, which may come after the end of the cell. */
async function inBackground(user: DoorUser, code: string): Promise<unknown> {
  const id = user.execute(
    py`
      def __exec_background__():
          from IPython.display import display
          from threading import Thread
          output = display({"application/x-bg.1": ""}, raw=True, display_id=True)
          def work():
              ${code}
          def main():
              try:
                  output.update({"application/x-bg.1.result": work()}, raw=True)
              except Exception as error:
                  output.update({"application/x-bg.1.error": repr(error)}, raw=True)
          Thread(target=main, daemon=True).start()
      __exec_background__()
      del __exec_background__
    `,
    hidden,
  );
  const updates = (): readonly JupyterMessage[] =>
    user.of(id).filter(({ header }) => header.msg_type === "update_display_data");
  await until("the thread has answered", () => updates().length > 0);
  await user.about(id);
  return updates()[0]?.content.data;
}

test("VS Code finds the server without a login, lists its kernels, and connects to the agent's", async () => {
  const open = await fetch(`http://127.0.0.1:${door.port}/tree?token=${door.token}`, { redirect: "manual" });
  expect(open.status).toBe(200);
  expect(open.headers.get("set-cookie")).toBeNull();
  // A hub of Jupyter's would answer.
  expect((await door.rest("GET", "/hub/api")).status).toBe(404);
  for (const path of ["/api", "/api/status", "/api/me", "/api/kernels", "/api/sessions"]) {
    expect([path, (await door.rest("GET", path)).status]).toEqual([path, 200]);
  }
  const { default: usual } = (await door.rest("GET", "/api/kernelspecs")).body as { default: string };
  expect(usual).toBe("python3");
  const sessions = (await door.rest("GET", "/api/sessions")).body as readonly { kernel: { id: string } }[];
  const id = sessions[0]?.kernel.id ?? "";
  const made = await door.rest("POST", "/api/sessions", {
    ...{ path: "report-jvsc-1234.ipynb", name: "report.ipynb", type: "notebook", kernel: { id, name: "python3" } },
  });
  expect(made).toMatchObject({ status: 201, body: { kernel: { id }, type: "notebook", name: "report.ipynb" } });
});

test("the code that VS Code runs unseen works: names, types, completions, the notebook's path", async () => {
  const sessions = (await door.rest("GET", "/api/sessions")).body as readonly { kernel: { id: string } }[];
  const user = await DoorUser.connect(door, sessions[0]?.kernel.id ?? "");
  expect(await user.ask("kernel_info_request", {})).toMatchObject({ status: "ok" });

  const path = await user.run(
    `if "__vsc_ipynb_file__" not in globals():\n    __vsc_ipynb_file__ = "/home/ada/report.ipynb"`,
    { ...hidden, silent: true },
  );
  expect(statusOf(path)).toBe("ok");
  for (const code of ["%config InlineBackend.figure_formats = {'svg', 'png'}", "%matplotlib inline", "%autoawait"]) {
    expect([code, statusOf(await user.run(code, hidden))]).toEqual([code, "ok"]);
  }
  const types = await user.run(
    py`
      def _variables(names):
          import json as _json
          import builtins as _builtins
          try:
              types = {name: _builtins.type(globals()[name]).__name__ for name in names}
              return _builtins.print(_json.dumps(types))
          finally:
              del _json
              del _builtins

      _who = %who_ls
      _variables(_who)

      try:
          del _variables
      except:
          pass
      try:
          del _who
      except:
          pass
    `,
    hidden,
  );
  expect(JSON.parse(printed(types))).toEqual({ name: "str", rows: "list" });

  const names = await inBackground(user, "names = %who_ls\n              return sorted(names)");
  expect(names).toMatchObject({ "application/x-bg.1.result": ["name", "rows"] });
  const completed = await inBackground(user, `return get_ipython().kernel.do_complete("rows.app", 8)`);
  expect(completed).toMatchObject({ "application/x-bg.1.result": { status: "ok", matches: ["append"] } });
  const found = await inBackground(user, `return get_ipython().kernel.do_inspect("len", 3, 0)`);
  expect(found).toMatchObject({ "application/x-bg.1.result": { status: "ok", found: true } });

  expect(await user.ask("complete_request", { code: "rows.app", cursor_pos: 8 })).toMatchObject({
    matches: ["append"],
  });
  // None of it counts as a cell, or is in the way of the next one.
  const next = await user.run("rows.append(3)\nlen(rows)");
  const result = next.find(({ header }) => header.msg_type === "execute_result");
  expect(result?.content).toMatchObject({ execution_count: 2, data: { "text/plain": "3" } });
  expect(user.problems).toEqual([]);
});

test("VS Code renames its session, interrupts, restarts, and leaves the kernel to the agent", async () => {
  const [session] = (await door.rest("GET", "/api/sessions")).body as readonly {
    readonly id: string;
    readonly kernel: { readonly id: string };
  }[];
  const { id = "", kernel } = session ?? { kernel: { id: "" } };
  expect((await door.rest("PATCH", `/api/sessions/${id}`, { path: "other.ipynb" })).status).toBe(200);
  expect((await door.rest("GET", `/api/kernels/${kernel.id}`)).status).toBe(200);
  const user = await DoorUser.connect(door, kernel.id);
  const running = user.execute("import time\ntime.sleep(600)");
  await until("it runs", () => user.of(running).some(({ header }) => header.msg_type === "execute_input"));
  expect((await door.rest("POST", `/api/kernels/${kernel.id}/interrupt`)).status).toBe(204);
  expect(statusOf(await user.about(running))).toBe("error");
  expect((await door.rest("POST", `/api/kernels/${kernel.id}/restart`)).status).toBe(200);
  expect(statusOf(await user.run("after = 1"))).toBe("ok");
  expect((await door.runtime.session("agent").run("after").result).output).toBe("1\n");
});
