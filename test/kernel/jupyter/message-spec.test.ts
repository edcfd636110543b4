import { afterAll, describe, expect, test } from "vitest";
import type { Kernel, StartOptions } from "../../../src/kernel/kernel.ts";
import { isLong } from "../../environment/variants.ts";
import { run } from "../collect.ts";
import { describeWithJupyter } from "../gateway/jupyter-python.ts";
import { GatewayHome } from "../gateway/start-gateway-kernel.ts";
import { py } from "../py.ts";
import { startZmq } from "../zmq/start-zmq.ts";
import { type TracedMessage, tracedMessage, whatIsWrongWith } from "./message-spec.ts";

/** Everything that a kernel can be asked for, and everything that it publishes. */
async function conversation(kernel: Kernel): Promise<void> {
  await run(kernel, "print('out'); import sys; print('err', file=sys.stderr); 6 * 7");
  await run(kernel, "h = display('a', display_id=True); h.update('b'); from IPython.display import clear_output");
  await run(kernel, "clear_output(wait=True); clear_output(); 1 / 0");
  await run(kernel, "this is no Python");
  await run(kernel, "input('Name: ')", { answer: async () => "Ada" });
  await run(kernel, "get_ipython().set_next_input('next'); print?");
  await run(kernel, "x = 1", { cwd: "/", env: { GRANARY_TEST: "1" } });
  await run(kernel, "from comm import create_comm; create_comm(target_name='nobody', data={'a': 1}).send({'b': 2})");
  await run(kernel, "import time; time.sleep(60)", {
    onEvent: (event) => event.type === "started" && void kernel.interrupt(),
  });
  await run(
    kernel,
    py`
    async def waits():
        return 1
    await waits()
  `,
  );
  expect((await kernel.complete("prin", 4)).matches).toContain("print");
  expect(await kernel.inspect("print", 5)).toHaveProperty("text/plain");
  expect(await kernel.isComplete("if x:")).toEqual({ status: "incomplete", indent: "    " });
  await kernel.ping();
  await kernel.close();
}

describeWithJupyter("every message is as Jupyter's specification has it", (python) => {
  const home = new GatewayHome();
  afterAll(() => home.close());
  const starts: Readonly<Record<string, (options: Partial<StartOptions>) => Promise<Kernel>>> = {
    ZeroMQ: (options) => startZmq(python, options),
    // The same messages, in other envelopes.
    ...(isLong ? { "the gateway": (options) => home.start(python, options) } : {}),
  };

  describe.each(Object.entries(starts))("over %s", (_, start) => {
    test("requests, replies, and their relation", async () => {
      const messages: TracedMessage[] = [];
      const kernel = await start({
        trace: (direction, channel, text) => void messages.push(tracedMessage(direction, channel, text)),
      });
      await conversation(kernel);
      expect(messages.map(whatIsWrongWith).filter((problem) => problem !== null)).toEqual([]);

      const sent = messages.filter(({ direction }) => direction === "send");
      const types = new Set(messages.map(({ type }) => type));
      for (const type of expectedTypes) expect(types).toContain(type);
      const ids = new Set(sent.map(({ id }) => id));
      expect(ids.size).toBe(sent.length);
      for (const { type, parent, channel } of messages) {
        if (channel === "shell" && type.endsWith("_reply")) expect(ids).toContain(parent);
      }
      for (const { id } of sent.filter(({ type }) => type === "execute_request")) {
        const states = messages.filter(({ type, parent }) => type === "status" && parent === id);
        expect(states.map(({ content }) => content.execution_state)).toEqual(["busy", "idle"]);
        expect(messages.filter(({ type, parent }) => type === "execute_reply" && parent === id)).toHaveLength(1);
      }
    });
  });
});

/** So that the conversation is known to have touched them. */
const expectedTypes = [
  "execute_request",
  "execute_reply",
  "execute_input",
  "execute_result",
  "stream",
  "display_data",
  "update_display_data",
  "clear_output",
  "error",
  "status",
  "input_request",
  "input_reply",
  "comm_open",
  "comm_close",
  "complete_reply",
  "inspect_reply",
  "kernel_info_reply",
];
