import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { JupyterMessage } from "../../../src/kernel/jupyter/messages/message.ts";
import type { JsonObject } from "../../../src/support/json/value.ts";
import { environment } from "../../environment/pythons.ts";
import { py } from "../../kernel/py.ts";
import { until } from "../../kernel/until.ts";
import { DoorUser, outline } from "./door-user.ts";
import { type OpenDoor, openDoor } from "./open-door.ts";

const found = environment("main");
const python = "python" in found ? found.python : "";

const ofType = (messages: readonly JupyterMessage[], type: string): readonly JupyterMessage[] =>
  messages.filter(({ header }) => header.msg_type === type);
const printed = (messages: readonly JupyterMessage[]): string =>
  ofType(messages, "stream")
    .map(({ content }) => content.text)
    .join("");
const stateOf = ({ content }: JupyterMessage): JsonObject => (content.data as { state?: JsonObject }).state ?? {};
const commIn = (messages: readonly JupyterMessage[], model: string): string =>
  String(ofType(messages, "comm_open").find((message) => stateOf(message)._model_name === model)?.content.comm_id);

describe.skipIf("missing" in found)("comms, by which widgets talk to their views", () => {
  let door: OpenDoor;
  let user: DoorUser;

  beforeAll(async () => {
    door = await openDoor({
      env: { ...process.env, PATH: `${dirname(python)}:/usr/bin:/bin`, VIRTUAL_ENV: dirname(dirname(python)) },
    });
    user = await connect("agent");
  });

  async function connect(session: string): Promise<DoorUser> {
    await door.runtime.session(session).run("import sys").result;
    const sessions = (await door.rest("GET", "/api/sessions")).body as readonly {
      name: string;
      kernel: { id: string };
    }[];
    return DoorUser.connect(door, sessions.find(({ name }) => name === session)?.kernel.id ?? "");
  }

  /** A message to a comm has no reply: its status is its end. */
  async function toComm(
    type: string,
    content: JsonObject,
    more: Partial<Pick<JupyterMessage, "buffers" | "metadata">> = {},
    from = user,
  ) {
    const id = from.send("shell", type, content, undefined, more);
    await until("the message is over", () => outline(from.of(id)).at(-1) === "idle");
    return from.of(id);
  }

  const move = (comm: string, state: JsonObject, from = user) =>
    toComm("comm_msg", { comm_id: comm, data: { method: "update", state, buffer_paths: [] } }, {}, from);

  test("a slider that one client moves reaches its observer; every client sees the state and the output", async () => {
    const other = await connect("agent");
    const shown = await user.run(py`
      import ipywidgets
      slider = ipywidgets.IntSlider(value=3, description="rows")
      slider.observe(lambda change: (print("now", change.new), setattr(slider, "description", f"{change.new} rows")), "value")
      slider
    `);
    const comm = commIn(shown, "IntSliderModel");
    const opened = ofType(shown, "comm_open").find(({ content }) => content.comm_id === comm);
    expect(opened?.content.target_name).toBe("jupyter.widget");
    expect(opened?.metadata).toEqual({ version: expect.stringMatching(/^2\./) });
    expect(ofType(shown, "execute_result")[0]?.content.data).toMatchObject({
      "application/vnd.jupyter.widget-view+json": { model_id: comm, version_major: 2 },
      "text/plain": expect.stringContaining("IntSlider(value=3"),
    });

    const moved = await move(comm, { value: 7 });
    expect(outline(moved)).toEqual(["busy", "comm_msg", "stream", "comm_msg", "idle"]);
    expect(printed(moved)).toBe("now 7\n");
    expect(ofType(moved, "comm_msg").map(stateOf)).toEqual([{ value: 7 }, { description: "7 rows" }]);
    expect(outline(other.of(String(moved[0]?.parentHeader.msg_id)))).toEqual(outline(moved));
    expect(printed(await user.run("print(slider.value, slider.description)"))).toBe("7 7 rows\n");
    expect([user.problems, other.problems]).toEqual([[], []]);
    await other.close();
  });

  test("a client that comes later learns of the comms, and asks for their states", async () => {
    await door.runtime.session("agent").run("box = ipywidgets.Text('from the agent')").result;
    const late = await connect("agent");
    const { comms } = (await late.ask("comm_info_request", {})) as { comms: Record<string, JsonObject> };
    expect(new Set(Object.values(comms).map(({ target_name }) => target_name))).toEqual(new Set(["jupyter.widget"]));
    expect(await late.ask("comm_info_request", { target_name: "other" })).toEqual({ status: "ok", comms: {} });
    // One question for all: as JupyterLab does it.
    const control = { comm_id: "control-1", target_name: "jupyter.widget.control", data: {} };
    expect(outline(await toComm("comm_open", control, { metadata: { version: "1.0.0" } }, late))).toEqual([
      "busy",
      "idle",
    ]);
    const answer = await toComm("comm_msg", { comm_id: "control-1", data: { method: "request_states" } }, {}, late);
    const [told] = ofType(answer, "comm_msg").map(({ content }) => content.data) as {
      states: Record<string, { state: JsonObject }>;
    }[];
    expect(Object.values(told?.states ?? {}).map(({ state }) => state.value)).toContain("from the agent");
    await toComm("comm_close", { comm_id: "control-1", data: {} }, {}, late);
    const left = (await late.ask("comm_info_request", { target_name: "jupyter.widget.control" })) as {
      comms: JsonObject;
    };
    expect(left.comms).toEqual({});
    await late.close();
  });

  test("an Output widget takes the output of a cell, and of a message", async () => {
    const shown = await user.run(py`
      out = ipywidgets.Output()
      button = ipywidgets.Button()
      @button.on_click
      def clicked(_):
          with out:
              print("clicked")
          print("beside")
      with out:
          print("inside")
    `);
    const takes = (messages: readonly JupyterMessage[]): readonly unknown[] =>
      messages.flatMap(({ header, content }) => {
        if (header.msg_type === "stream") return [content.text];
        const taken = header.msg_type === "comm_msg" && stateOf({ header, content } as JupyterMessage).msg_id;
        return typeof taken === "string" ? [{ taken }] : [];
      });
    expect(takes(shown)).toEqual([{ taken: shown[0]?.parentHeader.msg_id }, "inside\n", { taken: "" }]);
    const comm = commIn(shown, "ButtonModel");
    const pressed = await toComm("comm_msg", {
      comm_id: comm,
      data: { method: "custom", content: { event: "click" } },
    });
    expect(takes(pressed)).toEqual([
      { taken: pressed[0]?.parentHeader.msg_id },
      "clicked\n",
      { taken: "" },
      "beside\n",
    ]);
  });

  test("interact runs its function again, with its plots and exceptions inside of its Output", async () => {
    const shown = await user.run(py`
      import matplotlib.pyplot as plt
      def show(n):
          if n > 8:
              raise ValueError("too many")
          print("n is", n)
          plt.plot(range(n))
      _ = ipywidgets.interact(show, n=(0, 9))
    `);
    const inside = ["comm_msg", "stream", "display_data", "comm_msg"];
    expect(printed(shown)).toBe("n is 4\n");
    const moved = await move(commIn(shown, "IntSliderModel"), { value: 5 });
    const afterEcho = outline(moved)
      .slice(2, -1)
      .filter((type) => type !== "clear_output");
    expect(afterEcho).toEqual(inside);
    expect(ofType(moved, "clear_output")[0]?.content).toEqual({ wait: true });
    expect(Object.keys(ofType(moved, "display_data")[0]?.content.data as JsonObject)).toContain("image/png");
    const failed = await move(commIn(shown, "IntSliderModel"), { value: 9 });
    expect(printed(failed)).toContain("ValueError: too many");
    expect(printed(await user.run("print('alive')"))).toBe("alive\n");
  });

  test("a message waits for the end of the running cell, and a callback can be interrupted", async () => {
    const shown = await user.run(
      "button = ipywidgets.Button(); order = []; button.on_click(lambda _: order.append('click'))",
    );
    const comm = commIn(shown, "ButtonModel");
    const click = { comm_id: comm, data: { method: "custom", content: { event: "click" } } };
    const cell = user.execute("print('begun', flush=True)\nwhile not input(): pass\norder.append('cell')");
    const question = await user.next(
      "the question",
      ({ header, parentHeader }) => header.msg_type === "input_request" && parentHeader.msg_id === cell,
    );
    const clicked = user.send("shell", "comm_msg", click);
    user.send("stdin", "input_reply", { value: "go on", status: "ok" }, question);
    await until("the message is over", () => outline(user.of(clicked)).at(-1) === "idle");
    expect(printed(await user.run("print(order)"))).toBe("['cell', 'click']\n");

    await user.run("import time; button.on_click(lambda _: (print('sleeping', flush=True), time.sleep(600)))");
    const sleeping = user.send("shell", "comm_msg", click);
    await until("it sleeps", () => printed(user.of(sleeping)) === "sleeping\n");
    await user.ask("interrupt_request", {}, "control");
    await until("the message is over", () => outline(user.of(sleeping)).at(-1) === "idle");
    expect(ofType(user.of(sleeping), "error")[0]?.content.ename).toBe("KeyboardInterrupt");
    expect(printed(await user.run("print('alive')"))).toBe("alive\n");
  });

  test("threads and tasks send between two cells", async () => {
    const shown = await user.run(py`
      import asyncio, threading
      bar, label = ipywidgets.IntProgress(), ipywidgets.Label()
      begin = threading.Event()
      threading.Thread(target=lambda: (begin.wait(), setattr(bar, "value", 50))).start()
      async def later():
          await asyncio.sleep(0)
          label.value = "done"
          begin.set()
      task = asyncio.ensure_future(later())
    `);
    const states = (model: string) =>
      ofType(user.messages, "comm_msg")
        .filter(({ content }) => content.comm_id === commIn(shown, model))
        .map(stateOf);
    await until("both have sent", () => states("IntProgressModel").length + states("LabelModel").length === 2);
    expect([states("IntProgressModel"), states("LabelModel")]).toEqual([[{ value: 50 }], [{ value: "done" }]]);
  });

  test("bytes go both ways, also 10 MB of them", async () => {
    const shown = await user.run(py`
      import comm
      def opened(it, message):
          it.on_msg(lambda message: it.send({"got": message["content"]["data"], "type": type(message["buffers"][0]).__name__},
                                            {"a": 1}, [bytes(message["buffers"][0])[::-1], b"", memoryview(b"end")]))
      comm.get_comm_manager().register_target("echo", opened)
    `);
    expect(ofType(shown, "error")).toEqual([]);
    expect(outline(await toComm("comm_open", { comm_id: "echo-1", target_name: "echo", data: {} }))).toEqual([
      "busy",
      "idle",
    ]);
    for (const size of [3, 1_000_000, 10_000_000]) {
      const sent = randomBytes(size);
      const [answer] = ofType(
        await toComm("comm_msg", { comm_id: "echo-1", data: { n: size } }, { buffers: [sent] }),
        "comm_msg",
      );
      expect(answer?.content).toEqual({ comm_id: "echo-1", data: { got: { n: size }, type: "memoryview" } });
      expect(answer?.metadata).toEqual({ a: 1 });
      const [first = new Uint8Array(), ...others] = answer?.buffers ?? [];
      expect(Buffer.from(first).reverse().equals(sent)).toBe(true);
      expect(others.map((other) => Buffer.from(other).toString())).toEqual(["", "end"]);
    }
    const long = await user.run(
      "made = comm.create_comm('mine', {'text': 'ä' * 3_000_000}, buffers=[b'1', bytes(2_000_000)])",
    );
    const [open] = ofType(long, "comm_open");
    expect((open?.content as { data: { text: string } } | undefined)?.data.text).toHaveLength(3_000_000);
    expect(open?.buffers.map(({ length }) => length)).toEqual([1, 2_000_000]);
    const refused = await user.run("made.send({}, buffers=[bytes(50_000_000)])");
    expect(ofType(refused, "error")[0]?.content).toMatchObject({
      ename: "ValueError",
      evalue: expect.stringContaining("50,000,004"),
    });
  });

  test("damaged messages and unknown comms do no harm", async () => {
    await user.run("import comm; kept = comm.create_comm('mine'); kept.on_msg(lambda message: 1 / 0)");
    const { comms } = (await user.ask("comm_info_request", { target_name: "mine" })) as { comms: JsonObject };
    const known = Object.keys(comms).at(-1) ?? "";
    const deep = JSON.parse(`${'{"a":'.repeat(1000)}{}${"}".repeat(1000)}`) as JsonObject;
    const damaged: readonly [string, unknown, readonly string[]][] = [
      ["comm_msg", { comm_id: "unknown", data: {} }, []],
      ["comm_close", { comm_id: "unknown", data: {} }, []],
      ["comm_msg", {}, []],
      ["comm_msg", { comm_id: 7, data: [] }, []],
      ["comm_msg", { comm_id: known, data: deep }, []],
      ["comm_msg", { comm_id: "x".repeat(5000), data: {} }, []],
      ["comm_open", { comm_id: "new", data: {} }, ["comm_close"]],
      ["comm_open", { comm_id: "new", target_name: "unknown", data: null }, ["comm_close"]],
      // Already open: the one that is there stays.
      ["comm_open", { comm_id: known, target_name: "jupyter.widget", data: {} }, []],
      ["comm_open", { comm_id: "new", target_name: "jupyter.widget", data: { state: 1 } }, ["stream", "comm_close"]],
      ["comm_msg", { comm_id: known, data: {} }, ["stream"]],
    ];
    const bad = await connect("agent");
    for (const [type, content, answers] of damaged) {
      const about = await toComm(type, content as JsonObject, { buffers: [new Uint8Array(3)] }, bad);
      expect([type, content === damaged[4]?.[1] ? "deep" : content, [...new Set(outline(about).slice(1, -1))]]).toEqual(
        [type, content === damaged[4]?.[1] ? "deep" : content, answers],
      );
    }
    expect(printed(bad.messages)).toContain("ZeroDivisionError");
    expect(((await user.ask("comm_info_request", { target_name: "mine" })) as { comms: JsonObject }).comms).toEqual(
      comms,
    );
    expect(printed(await user.run("print('alive')"))).toBe("alive\n");
    await bad.close();
  });

  test("a restart closes all comms, and a message to a session without a kernel starts none", async () => {
    const fresh = await connect("other");
    await fresh.run("import comm; kept = comm.create_comm('mine')");
    await door.runtime.session("other").reset({ force: true }).result;
    expect(await fresh.ask("comm_info_request", {})).toEqual({ status: "ok", comms: {} });
    expect(outline(await toComm("comm_msg", { comm_id: "gone", data: {} }, {}, fresh))).toEqual(["busy", "idle"]);
    const sessions = door.runtime.sessions.map(({ id, life }) => ({ id, life }));
    expect(sessions.find(({ id }) => id === "other")?.life).not.toBe("ready");
    await fresh.close();
  });

  test("the agent is not told about messages of comms", async () => {
    const shown = await user.run("button = ipywidgets.Button()");
    const agent = door.runtime.session("agent");
    await agent.run("1").result;
    const { count } = agent.shared.recentCells;
    await move(commIn(shown, "ButtonModel"), { description: "moved" });
    expect(agent.shared.recentCells.count).toBe(count);
    const { notices, output } = await agent.run("button.description").result;
    expect([notices, output]).toEqual([[], "'moved'\n"]);
  });
});
