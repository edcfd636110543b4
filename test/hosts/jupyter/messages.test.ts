import { describe, expect, test } from "vitest";
import type { JupyterMessage } from "../../../src/kernel/jupyter/messages/message.ts";
import type { JsonObject } from "../../../src/support/json/value.ts";
import { py } from "../../kernel/py.ts";
import { until } from "../../kernel/until.ts";
import { DoorUser, outline } from "./door-user.ts";
import { openDoor } from "./open-door.ts";

const door = await openDoor();
const { body: model } = await door.rest("POST", "/api/kernels", { name: "python3" });
const { id: kernel } = model as { id: string };
const framings: readonly [string, string[]][] = [
  ["v1", ["v1.kernel.websocket.jupyter.org"]],
  ["legacy", []],
];

const contents = (messages: readonly JupyterMessage[], type: string): readonly JsonObject[] =>
  messages.filter(({ header }) => header.msg_type === type).map(({ content }) => content);

describe.each(framings)("over the framing %s, every message is as Jupyter's specification has it", (_, protocols) => {
  test("for every request", async () => {
    const user = await DoorUser.connect(door, kernel, { protocols });
    expect(user.protocol).toBe(protocols[0] ?? "");
    expect(await user.ask("kernel_info_request", {})).toMatchObject({
      status: "ok",
      implementation: "granary",
      language_info: { name: "python", file_extension: ".py", nbconvert_exporter: "python" },
    });
    const first = await user.run("print('out'); import sys; print('err', file=sys.stderr); café = 6 * 7; café");
    expect(outline(first)).toEqual([
      "busy",
      "execute_input",
      "stream",
      "stream",
      "execute_result",
      "execute_reply",
      "idle",
    ]);
    expect(contents(first, "execute_result")).toMatchObject([{ data: { "text/plain": "42" }, metadata: {} }]);

    const shown = await user.run(py`
      from IPython.display import clear_output
      handle = display({"application/x-private+json": 1, "text/plain": "a"}, raw=True, metadata={"k": 1}, display_id="one")
      handle.update({"application/x-private+json": 2}, raw=True)
      clear_output(wait=True)
    `);
    expect(outline(shown).slice(2, 5)).toEqual(["display_data", "update_display_data", "clear_output"]);
    expect(contents(shown, "display_data")).toEqual([
      {
        data: { "application/x-private+json": 1, "text/plain": "a" },
        metadata: { k: 1 },
        transient: { display_id: "one" },
      },
    ]);
    expect(contents(shown, "update_display_data")).toMatchObject([{ transient: { display_id: "one" } }]);
    expect(contents(shown, "clear_output")).toEqual([{ wait: true }]);

    const failed = await user.run("1 / 0");
    expect(outline(failed)).toEqual(["busy", "execute_input", "error", "execute_reply", "idle"]);
    expect(contents(failed, "execute_reply")).toMatchObject([{ status: "error", ename: "ZeroDivisionError" }]);

    expect(await user.ask("complete_request", { code: "caf", cursor_pos: 3 })).toMatchObject({
      status: "ok",
      matches: ["café"],
      cursor_start: 0,
      cursor_end: 3,
      metadata: { _jupyter_types_experimental: [{ start: 0, end: 3, text: "café", type: "instance" }] },
    });
    expect(await user.ask("inspect_request", { code: "café", cursor_pos: 2, detail_level: 0 })).toMatchObject({
      found: true,
      data: { "text/plain": expect.stringContaining("int") },
    });
    expect(await user.ask("inspect_request", { code: "nowhere", cursor_pos: 2, detail_level: 1 })).toMatchObject({
      found: false,
    });
    expect(await user.ask("is_complete_request", { code: "if café:" })).toEqual({
      status: "incomplete",
      indent: "    ",
    });
    expect(await user.ask("comm_info_request", {})).toEqual({ status: "ok", comms: {} });
    const past = await user.ask("history_request", { hist_access_type: "tail", n: 1, output: false, raw: true });
    expect(past).toMatchObject({ status: "ok", history: [[1, expect.any(Number), "1 / 0"]] });
    expect(await user.ask("interrupt_request", {}, "control")).toEqual({ status: "ok" });

    const question = user.execute("name = input('Name: ')\nprint(name)");
    const asked = await user.next("input is asked for", ({ header }) => header.msg_type === "input_request");
    expect(asked).toMatchObject({ channel: "stdin", content: { prompt: "Name: ", password: false } });
    expect(asked.parentHeader.msg_id).toBe(question);
    user.send("stdin", "input_reply", { value: "Ada 😀", status: "ok" }, asked);
    expect(contents(await user.about(question), "stream")).toEqual([{ name: "stdout", text: "Ada 😀\n" }]);
    expect(user.problems).toEqual([]);
    await user.close();
  });
});

describe("a request", () => {
  test("that is silent or not to be stored changes no number, and shows what ipykernel shows", async () => {
    const user = await DoorUser.connect(door, kernel);
    const count = async (): Promise<unknown> => contents(await user.run("0"), "execute_reply")[0]?.execution_count;
    const before = (await count()) as number;
    const silent = await user.run("print('seen')\n1", { silent: true, store_history: false });
    expect(outline(silent)).toEqual(["busy", "stream", "execute_reply", "idle"]);
    const unstored = await user.run("1", { store_history: false });
    expect(outline(unstored)).toEqual(["busy", "execute_input", "execute_result", "execute_reply", "idle"]);
    expect(contents(unstored, "execute_input")).toEqual([{ code: "1", execution_count: before + 1 }]);
    expect(await count()).toBe(before + 1);
  });

  test("has the values of its user expressions in the reply, each with its own error", async () => {
    const user = await DoorUser.connect(door, kernel);
    const [reply] = contents(
      await user.run("a = [1]", { user_expressions: { a: "a * 2", b: "nowhere" } as never }),
      "execute_reply",
    );
    expect(reply?.user_expressions).toMatchObject({
      a: { status: "ok", data: { "text/plain": "[1, 1]" } },
      b: { status: "error", ename: "NameError" },
    });
  });

  test("without stdin gets the exception that ipykernel raises", async () => {
    const user = await DoorUser.connect(door, kernel);
    const [error] = contents(await user.run("input()", { allow_stdin: false }), "error");
    expect(error?.ename).toBe("StdinNotImplementedError");
  });

  test("that fails aborts those that its client has queued, unless it is not to stop on errors", async () => {
    const user = await DoorUser.connect(door, kernel);
    const queue = (stop_on_error: boolean): string[] =>
      ["import time; time.sleep(0.2); 1 / 0", "'second'", "'third'"].map((code) =>
        user.execute(code, { stop_on_error }),
      );
    const statuses = async (ids: readonly string[]): Promise<unknown[]> => {
      const all = await Promise.all(ids.map((id) => user.about(id)));
      return all.map((about) => contents(about, "execute_reply")[0]?.status);
    };
    expect(await statuses(queue(true))).toEqual(["error", "aborted", "aborted"]);
    expect(await statuses(queue(false))).toEqual(["error", "ok", "ok"]);
    expect(user.problems).toEqual([]);
  });

  test("for help has the page in its reply", async () => {
    const user = await DoorUser.connect(door, kernel);
    const about = await user.run("print?");
    expect(outline(about)).not.toContain("display_data");
    expect(contents(about, "execute_reply")).toMatchObject([
      { payload: [{ source: "page", start: 0, data: { "text/plain": expect.stringContaining("print") } }] },
    ]);
  });

  test("of an unknown type, or with a comm that nobody offers, is answered as ipykernel does", async () => {
    const user = await DoorUser.connect(door, kernel);
    const opened = user.send("shell", "comm_open", { comm_id: "c1", target_name: "nobody", data: {} });
    await until("the comm is closed", () => outline(user.of(opened)).at(-1) === "idle");
    expect(outline(user.of(opened))).toEqual(["busy", "comm_close", "idle"]);
    const sent = user.send("shell", "comm_msg", { comm_id: "c1", data: {} });
    await until("the message is ignored", () => outline(user.of(sent)).at(-1) === "idle");
    expect(outline(user.of(sent))).toEqual(["busy", "idle"]);
    expect(user.problems).toEqual([]);
  });
});

describe("several clients of one kernel", () => {
  test("all see what happens, and only the one that asked gets the reply", async () => {
    const [one, other] = [await DoorUser.connect(door, kernel), await DoorUser.connect(door, kernel)];
    const id = one.execute("print('for all')");
    await one.about(id);
    await until("the other has seen the end", () => outline(other.of(id)).at(-1) === "idle");
    expect(outline(other.of(id))).toEqual(["busy", "execute_input", "stream", "idle"]);
    await other.close();
  });

  test("see the cells of others in the session, with all forms of a value, and the agent keeps its results", async () => {
    const agent = door.runtime.session("agent", { owner: "agent" });
    await agent.run("class Rich:\n  def _repr_html_(self): return '<b>rich</b>'").result;
    const { body } = await door.rest("GET", "/api/sessions");
    const listed = (body as { name: string; kernel: { id: string } }[]).find(({ name }) => name === "agent");
    const user = await DoorUser.connect(door, listed?.kernel.id ?? "");
    const { output } = await agent.run("print('hi'); Rich()").result;
    expect(output).toContain("hi");
    await until("the user has seen the end", () => outline(user.messages).filter((type) => type === "idle").length > 1);
    const seen = user.messages.slice(1);
    expect(outline(seen)).toEqual(["busy", "execute_input", "stream", "execute_result", "idle"]);
    expect(contents(seen, "execute_result")[0]?.data).toMatchObject({ "text/html": "<b>rich</b>" });
    expect(new Set(seen.map(({ parentHeader }) => parentHeader.msg_id)).size).toBe(1);

    await user.run("from_jupyter = 7");
    expect((await agent.run("from_jupyter").result).output).toBe("7\n");
    expect(door.runtime.executions.at(-2)?.cell.code).toBe("from_jupyter = 7");
    expect(user.problems).toEqual([]);
    await user.close();
  });

  test("while a cell of another runs, a newcomer learns that the kernel is busy, and gets its answers", async () => {
    const one = await DoorUser.connect(door, kernel);
    const id = one.execute("print('begun', flush=True)\ninput('wait')");
    const asked = await one.next("the cell asks", ({ header }) => header.msg_type === "input_request");
    const other = await DoorUser.connect(door, kernel);
    const first = await other.next("the state is told", ({ header }) => header.msg_type === "status");
    expect(first).toMatchObject({ content: { execution_state: "busy" }, parentHeader: { msg_id: id } });
    expect(await other.ask("kernel_info_request", {})).toMatchObject({ status: "ok" });
    expect(await other.ask("complete_request", { code: "pri", cursor_pos: 3 })).toMatchObject({ matches: [] });
    expect(outline(one.of(id)).filter((type) => type === "idle")).toEqual([]);
    expect(outline(other.messages).at(-1)).toBe("busy");
    one.send("stdin", "input_reply", { value: "", status: "ok" }, asked);
    await one.about(id);
  });
});

describe("output after the end of its cell", () => {
  test("is an update of the display that the cell made, with that cell as its parent", async () => {
    const user = await DoorUser.connect(door, kernel);
    const id = user.execute(py`
      import threading
      go = threading.Event()
      view = display({"application/vnd.viewer": {"state": "new"}}, raw=True, display_id="view")
      def later():
          go.wait()
          import time; time.sleep(0.2)
          view.update({"application/vnd.viewer": {"state": "ready"}}, raw=True)
          print("printed by a thread")
      thread = threading.Thread(target=later); thread.start()
    `);
    await user.about(id);
    const last = user.execute("go.set()");
    await user.about(last);
    const update = await user.next("the update is here", ({ header, parentHeader }) => {
      return header.msg_type === "update_display_data" && parentHeader.msg_id === id;
    });
    expect(update.content).toMatchObject({
      data: { "application/vnd.viewer": { state: "ready" } },
      transient: { display_id: "view" },
    });
    const printed = await user.next("the text is here", ({ content }) => content.text === "printed by a thread\n");
    expect(printed.parentHeader.msg_id).toBe(last);
  });
});

describe("a client that loses its connection", () => {
  test("gets what it missed when it reconnects with the same session", async () => {
    const user = await DoorUser.connect(door, kernel, { session: "returning" });
    const id = user.execute("print('begun', flush=True)\nimport time; time.sleep(0.5)\nprint('done')");
    await user.next("the cell runs", ({ header }) => header.msg_type === "stream");
    await user.cut();
    await until("the cell is over", () => door.runtime.executions.at(-1)?.isOver === true);
    const again = await DoorUser.connect(door, kernel, { session: "returning" });
    const missed = await again.about(id);
    expect(contents(missed, "stream")).toEqual([{ name: "stdout", text: "done\n" }]);
  });
});
