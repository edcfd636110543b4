import { describe, expect, test } from "vitest";
import { KernelError } from "../../../src/kernel/errors.ts";
import { background, run, runToDeath } from "../collect.ts";
import { until } from "../until.ts";
import { ScriptedKernel } from "./scripted-kernel.ts";

describe("a cell", () => {
  test("has ended when both the reply and idle have come, in either order", async () => {
    for (const order of ["reply first", "idle first"]) {
      const script = new ScriptedKernel();
      const kernel = await script.open();
      const running = run(kernel, "1");
      const cell = await script.begin();
      const last = (): void => script.publish(cell, "stream", { name: "stdout", text: "last words" });
      if (order === "reply first") {
        script.reply(cell);
        expect(kernel.state).toBe("busy");
        last();
        script.idle(cell);
      } else {
        last();
        script.idle(cell);
        expect(kernel.state).toBe("busy");
        script.reply(cell);
      }
      expect(await running).toMatchObject({ outcome: "ok", stdout: "last words", executionCount: 1 });
      await kernel.close();
    }
  });

  test("ends even if the second sign of its end never comes", async () => {
    const script = new ScriptedKernel();
    const kernel = await script.open();
    const running = run(kernel, "1");
    script.reply(await script.begin());
    expect((await running).outcome).toBe("ok");
  });

  test("is sent so that it counts, may ask, and is not dropped after an earlier failure", async () => {
    const script = new ScriptedKernel();
    const kernel = await script.open();
    void run(kernel, "1 + 1").catch(() => undefined);
    const { content, channel } = await script.request("execute_request");
    expect(channel).toBe("shell");
    expect(content).toMatchObject({
      code: "1 + 1",
      silent: false,
      store_history: true,
      allow_stdin: true,
      stop_on_error: false,
    });
  });

  test("gets its own messages and no others", async () => {
    const script = new ScriptedKernel();
    const kernel = await script.open();
    const heard = background(kernel);
    const first = run(kernel, "1");
    const earlier = await script.begin();
    script.reply(earlier);
    script.idle(earlier);
    await first;
    const second = run(kernel, "2");
    const cell = await script.begin();
    script.publish(earlier, "stream", { name: "stderr", text: "late\n" });
    script.publish(undefined, "stream", { name: "stdout", text: "nobody's\n" });
    script.publish(cell, "stream", { name: "stdout", text: "mine\n" });
    script.reply(cell);
    script.idle(cell);
    expect((await second).text).toBe("mine\n");
    expect(heard.of("stderr")).toBe("late\n");
    expect(heard.of("stdout")).toBe("nobody's\n");
  });

  test("shows what the pager was given", async () => {
    const script = new ScriptedKernel();
    const kernel = await script.open();
    const running = run(kernel, "len?");
    const cell = await script.begin();
    script.idle(cell);
    const page = { source: "page", data: { "text/plain": "about len" }, start: 0 };
    script.reply(cell, { status: "ok", execution_count: 1, payload: [page, { source: "set_next_input", text: "x" }] });
    expect((await running).displays).toMatchObject([{ data: { "text/plain": "about len" }, update: false }]);
  });

  test("whose error is only in the reply has the error, and one whose error comes twice has it once", async () => {
    for (const isPublished of [true, false]) {
      const script = new ScriptedKernel();
      const kernel = await script.open();
      const running = run(kernel, "1/0");
      const cell = await script.begin();
      const error = { ename: "ZeroDivisionError", evalue: "division by zero", traceback: ["line"] };
      if (isPublished) script.publish(cell, "error", error);
      script.reply(cell, { status: "error", execution_count: 1, ...error });
      script.idle(cell);
      const { events, outcome } = await running;
      expect(outcome).toBe("error");
      expect(events.filter(({ type }) => type === "error")).toEqual([
        { type: "error", name: "ZeroDivisionError", message: "division by zero", traceback: ["line"] },
      ]);
    }
  });

  test("that the kernel did not run says so", async () => {
    const script = new ScriptedKernel();
    const kernel = await script.open();
    const running = run(kernel, "1");
    const cell = await script.request("execute_request");
    script.reply(cell, { status: "aborted" });
    script.idle(cell);
    expect((await running).error?.message).toContain("did not run");
  });

  test("that opens a widget gets a close message", async () => {
    const script = new ScriptedKernel();
    const kernel = await script.open();
    void run(kernel, "slider").catch(() => undefined);
    script.publish(await script.begin(), "comm_open", { comm_id: "c1", target_name: "jupyter.widget", data: {} });
    expect((await script.request("comm_close")).content).toMatchObject({ comm_id: "c1" });
  });

  test("gets a note where output may be missing", async () => {
    const script = new ScriptedKernel();
    const kernel = await script.open();
    const running = run(kernel, "1");
    const cell = await script.begin();
    script.gap("the connection was interrupted");
    script.reply(cell);
    script.idle(cell);
    expect((await running).stderr).toContain("may be missing: the connection was interrupted");
  });
});

describe("an interrupt", () => {
  test("waits until the cell runs, because a kernel ignores it before, and is sent once", async () => {
    const script = new ScriptedKernel();
    const kernel = await script.open();
    const running = run(kernel, "1");
    const interrupted = Promise.all([kernel.interrupt(), kernel.interrupt()]);
    const cell = await script.request("execute_request");
    expect(script.interrupts).toEqual([]);
    script.publish(cell, "status", { execution_state: "busy" });
    script.publish(cell, "execute_input", { code: "1", execution_count: 1 });
    await until("it is interrupted", () => script.interrupts.length > 0);
    script.publish(cell, "error", { ename: "KeyboardInterrupt", evalue: "", traceback: [] });
    script.reply(cell, { status: "error", ename: "KeyboardInterrupt", evalue: "", traceback: [] });
    script.idle(cell);
    expect((await running).outcome).toBe("interrupted");
    await interrupted;
    expect(script.interrupts).toEqual(["signal"]);
  });

  test("goes as a message where the kernel asks for that, and where a server has failed to deliver it, or does not answer", async () => {
    const failing = () => Promise.reject(new Error("503"));
    const silent = () => new Promise<void>(() => undefined);
    for (const interrupt of [undefined, failing, silent]) {
      const script = new ScriptedKernel({ interrupt });
      const kernel = await script.open(500);
      const running = run(kernel, "1");
      const cell = await script.begin();
      const interrupted = kernel.interrupt();
      expect((await script.request("interrupt_request")).channel).toBe("control");
      script.reply(cell, { status: "error", ename: "KeyboardInterrupt", evalue: "", traceback: [] });
      script.idle(cell);
      expect((await running).outcome).toBe("interrupted");
      await interrupted;
    }
  });

  test("that lost the reply still counts as an interrupt", async () => {
    const script = new ScriptedKernel();
    const kernel = await script.open();
    const running = run(kernel, "1");
    const cell = await script.begin();
    const interrupted = kernel.interrupt();
    await until("it is interrupted", () => script.interrupts.length > 0);
    script.idle(cell);
    expect(await running).toMatchObject({ outcome: "interrupted", error: { name: "KeyboardInterrupt" } });
    await interrupted;
  });
});

describe("an interrupt of another client on the server", () => {
  const interrupt = { ename: "KeyboardInterrupt", evalue: "", traceback: ["KeyboardInterrupt"] };
  const endCell = async (script: ScriptedKernel) => {
    const cell = await script.begin();
    script.publish(cell, "error", interrupt);
    script.reply(cell, { status: "error", execution_count: 1, ...interrupt });
    script.idle(cell);
  };

  test("with which the kernel ends is told as the kernel's end, and not as an interrupt", async () => {
    const script = new ScriptedKernel();
    const dying = runToDeath(await script.open(), "1");
    await endCell(script);
    script.publish(undefined, "shutdown_reply", { status: "ok", restart: true });
    const { thrown, events } = await dying;
    expect((thrown as KernelError).message).toContain("Another client has restarted the kernel");
    expect(events.map(({ type }) => type)).toEqual(["started"]);
  });

  test("after which the kernel goes on is told as an interrupt", async () => {
    const script = new ScriptedKernel();
    const running = run(await script.open(), "1");
    await endCell(script);
    expect(await running).toMatchObject({ outcome: "interrupted", error: { name: "KeyboardInterrupt" } });
  });
});

describe("the end of a kernel", () => {
  const ends: readonly [what: string, end: (script: ScriptedKernel) => void, reason: RegExp][] = [
    ["a lost connection", (script) => script.lose("The connection is lost."), /connection is lost/],
    [
      "a server that says it died",
      (script) => script.say("iopub", undefined, "status", { execution_state: "dead" }, "the server"),
      /died/,
    ],
    [
      "a server that has restarted it",
      (script) => script.say("iopub", undefined, "status", { execution_state: "restarting" }, "the server"),
      /died/,
    ],
    [
      "a client that restarted it",
      (script) => script.say("iopub", undefined, "status", { execution_state: "starting" }, "a new kernel"),
      /Another client has restarted the kernel/,
    ],
    ["an exit", (script) => script.exit.resolve({ exitCode: 3, signal: null }), /exit code 3/],
  ];

  test.each(ends)("by %s fails the running cell with the reason, and what was asked", async (_what, end, reason) => {
    const script = new ScriptedKernel();
    const kernel = await script.open();
    const ping = kernel.ping().catch((error: unknown) => error);
    const dying = runToDeath(kernel, "1");
    await script.begin();
    end(script);
    const { thrown } = await dying;
    expect(thrown).toBeInstanceOf(KernelError);
    expect(thrown).toMatchObject({ code: "kernel-died", details: { started: true } });
    expect((thrown as KernelError).message).toMatch(reason);
    expect(await ping).toBeInstanceOf(KernelError);
    expect(kernel.state).toBe("dead");
    expect(script.isClosed).toBe(true);
  });
});

describe("a question to the kernel", () => {
  test("counts characters as Jupyter does, and answers as JavaScript does", async () => {
    const script = new ScriptedKernel();
    const kernel = await script.open();
    const code = "'👩‍🚀'; pri";
    const completing = kernel.complete(code, code.length);
    const request = await script.request("complete_request");
    expect(request.content.cursor_pos).toBe([...code].length);
    const reply = { matches: ["print"], cursor_start: [...code].length - 3, cursor_end: [...code].length };
    script.say("shell", request, "complete_reply", reply);
    expect(await completing).toEqual({ matches: ["print"], start: code.length - 3, end: code.length });
  });

  test("has kinds and signatures if the kernel sends them, in any order and number", async () => {
    const script = new ScriptedKernel();
    const kernel = await script.open();
    const completing = kernel.complete("p", 1);
    const request = await script.request("complete_request");
    const types = [
      { text: "pow", type: "function", signature: "(base, exp)" },
      { text: "print", type: "<unknown>", signature: "" },
      7,
    ];
    const metadata = { _jupyter_types_experimental: types };
    const reply = { matches: ["print", "pow", "pass"], cursor_start: 0, cursor_end: 1, metadata };
    script.say("shell", request, "complete_reply", reply);
    const details = [{ kind: "" }, { kind: "function", signature: "(base, exp)" }, { kind: "" }];
    expect(await completing).toEqual({ matches: reply.matches, start: 0, end: 1, details });
  });

  test("that is given up does not wait for its answer", async () => {
    const script = new ScriptedKernel();
    const kernel = await script.open();
    const controller = new AbortController();
    const inspecting = kernel.inspect("x", 1, controller.signal).catch(() => "given up");
    controller.abort();
    expect(await inspecting).toBe("given up");
  });
});
