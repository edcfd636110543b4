import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { WebSocketChannel } from "../../../../src/kernel/gateway/websocket/websocket-channel.ts";
import { v1Protocol } from "../../../../src/kernel/gateway/websocket/websocket-codec.ts";
import type { JupyterMessage } from "../../../../src/kernel/jupyter/messages/message.ts";
import { deferred } from "../../../../src/support/deferred.ts";
import type { JsonObject } from "../../../../src/support/json/value.ts";
import { until } from "../../until.ts";
import { StandInServer } from "../stand-in-server.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const it of opened.splice(0).reverse()) await it.close();
});

async function open(
  choices: { legacy?: boolean; whyLost?: () => string | null; interruptUnderWay?: Promise<void> } = {},
) {
  const server = await StandInServer.start(choices.legacy === undefined ? {} : { legacy: choices.legacy });
  const messages: JupyterMessage[] = [];
  const gaps: string[] = [];
  const losses: string[] = [];
  const deaths: JsonObject[] = [];
  const channel = new WebSocketChannel({
    address: { url: server.url, token: "secret" },
    kernelId: "the-kernel",
    session: "the-session",
    timeoutMs: 10_000,
    silenceMs: 20_000,
    whyLost: async () => choices.whyLost?.() ?? null,
    interruptUnderWay: () => choices.interruptUnderWay ?? null,
    onKernelDied: (status) => deaths.push(status),
  });
  await channel.open();
  channel.listen({
    onMessage: (message) => messages.push(message),
    onGap: (reason) => gaps.push(reason),
    onLost: (reason) => losses.push(reason),
  });
  opened.push(server, channel);
  return { server, channel, messages, gaps, losses, deaths };
}

/** A message of a kernel with Jupyter's own library, which numbers its messages. */
function fromKernel(
  number: number,
  type: string,
  content: JsonObject = {},
  parent = "",
  session = "kernel",
): JupyterMessage {
  const header = { msg_id: `${session}_7_${number}`, session, username: "k", date: "", msg_type: type, version: "5.4" };
  const channel = type.endsWith("_reply") ? "shell" : "iopub";
  return { channel, header, parentHeader: { msg_id: parent }, metadata: {}, content, buffers: [] };
}

function request(type = "execute_request"): JupyterMessage {
  const header = {
    msg_id: randomUUID(),
    session: "the-session",
    username: "",
    date: "",
    msg_type: type,
    version: "5.4",
  };
  return { channel: "shell", header, parentHeader: {}, metadata: {}, content: {}, buffers: [] };
}

test("v1 is agreed upon, without compression, for the session, and the token is not in the address", async () => {
  const { server } = await open();
  expect(server.handshakes).toEqual([
    { protocol: v1Protocol, extensions: "", url: "/api/kernels/the-kernel/channels?session_id=the-session" },
  ]);
});

test.each([false, true])("messages go both ways, with buffers and without (legacy framing: %s)", async (legacy) => {
  const { server, channel, messages } = await open({ legacy });
  const asked = { ...request("comm_msg"), buffers: [Uint8Array.of(1, 2)] };
  channel.send(asked);
  channel.send(request());
  await until("both have come", () => server.received.length === 2);
  expect(server.received[0]).toMatchObject({ header: asked.header, buffers: [Buffer.from([1, 2])] });
  server.send({ ...fromKernel(1, "display_data"), buffers: [Uint8Array.of(3)] });
  server.send(fromKernel(2, "stream", { text: "grüße" }));
  await until("both have come", () => messages.length === 2);
  expect(Buffer.from(messages[0]?.buffers[0] as Uint8Array)).toEqual(Buffer.from([3]));
  expect(messages[1]?.content).toEqual({ text: "grüße" });
});

test("messages are acknowledged at once, so that the server's next packet need not wait", async () => {
  const { server } = await open();
  server.send(fromKernel(1, "stream"));
  await until("an unsolicited pong has come", () => server.pongs > 0);
});

test("nothing is lost and nothing comes twice when a server replays what it had sent", async () => {
  const { server, channel, messages, gaps } = await open();
  const cell = request();
  channel.send(cell);
  const id = cell.header.msg_id;
  server.send(fromKernel(1, "status", { execution_state: "busy" }, id));
  server.send(fromKernel(2, "stream", { text: "a" }, id));
  await until("they have come", () => messages.length === 2);
  server.cut();
  await until("there is a second connection", () => server.handshakes.length === 2 && server.isConnected);
  for (const [number, type, content] of [
    [2, "stream", { text: "a" }],
    [3, "stream", { text: "b" }],
    [4, "execute_reply", {}],
    [5, "status", { execution_state: "idle" }],
  ] as const) {
    server.send(fromKernel(number, type, content, id));
  }
  await until("the cell has ended", () => messages.length === 5);
  expect(messages.map(({ content }) => content.text).filter(Boolean)).toEqual(["a", "b"]);
  expect(gaps).toEqual([]);
});

test("missing messages after a reconnect are counted, and reported before the cell ends", async () => {
  const { server, channel, messages, gaps } = await open();
  const cell = request();
  channel.send(cell);
  const id = cell.header.msg_id;
  server.send(fromKernel(1, "status", { execution_state: "busy" }, id));
  await until("it has come", () => messages.length === 1);
  server.cut();
  await until("there is a second connection", () => server.handshakes.length === 2 && server.isConnected);
  server.send(fromKernel(6, "status", { execution_state: "idle" }, id));
  await until("it has come", () => messages.length === 2);
  expect(gaps).toEqual([]);
  server.send(fromKernel(5, "execute_reply", {}, id));
  await until("it has come", () => messages.length === 3);
  expect(gaps).toEqual([
    "the connection to the gateway was lost while the cell ran, and 3 of the kernel's messages are missing",
  ]);
});

test("after a reconnect, a kernel that does not number its messages is said to have perhaps lost some", async () => {
  const { server, channel, messages, gaps } = await open();
  const cell = request();
  channel.send(cell);
  server.cut();
  await until("there is a second connection", () => server.handshakes.length === 2 && server.isConnected);
  for (const type of ["execute_reply", "status"]) {
    const message = fromKernel(1, type, { execution_state: "idle" }, cell.header.msg_id);
    server.send({ ...message, header: { ...message.header, msg_id: randomUUID() } });
  }
  await until("the cell has ended", () => messages.length === 2);
  expect(gaps).toEqual([expect.stringContaining("output from that moment may be missing")]);
});

/** A channel whose connection broke during a request, and which has just asked for its outcome. */
async function openAndLoseRequest() {
  const parts = await open();
  const { server, channel, messages } = parts;
  server.send(fromKernel(1, "execute_reply", { execution_count: 4 }));
  await until("it is known how many cells there were", () => messages.length === 1);
  server.cut();
  const cell = request();
  channel.send(cell);
  await until("there is a second connection", () => server.handshakes.length === 2 && server.isConnected);
  const isQuestion = ({ header, content }: JupyterMessage): boolean =>
    header.msg_type === "execute_request" && content.silent === true;
  await until("it is asked about", () => server.received.some(isQuestion));
  const question = server.received.find(isQuestion) as JupyterMessage;
  const times = (): number => server.received.filter(({ header }) => header.msg_id === cell.header.msg_id).length;
  const before = times();
  const answer = (count: number): void =>
    server.send(fromKernel(9, "execute_reply", { execution_count: count }, question.header.msg_id));
  return { ...parts, answer, resent: () => times() - before };
}

test("a request that was lost is sent again when the kernel has run no cell since", async () => {
  const { answer, resent, messages } = await openAndLoseRequest();
  answer(4);
  await until("it has been sent again", () => resent() === 1);
  expect(messages.length).toBe(1);
});

test("a request that may have run is not sent again: the cell ends with an error that says what is not known", async () => {
  const { answer, resent, messages } = await openAndLoseRequest();
  answer(5);
  await until("it has ended", () => messages.length === 5);
  expect(messages.slice(1).map(({ header }) => header.msg_type)).toEqual([
    "status",
    "error",
    "execute_reply",
    "status",
  ]);
  expect(messages[2]?.content.evalue).toContain("Its output and its result are unknown.");
  expect(new Set(messages.map(({ header }) => header.session))).toEqual(new Set(["kernel"]));
  expect(resent()).toBe(0);
});

test("a server's notice about dropped output is reported as such, and the same words printed by a cell are not", async () => {
  const { server, messages, gaps } = await open();
  const text = "IOPub data rate exceeded.\nServerApp.iopub_data_rate_limit=1000000.0 (bytes/sec)\n";
  server.send(fromKernel(1, "stream", { name: "stderr", text }, "", "the-session"));
  server.send(fromKernel(1, "stream", { name: "stderr", text }));
  await until("the second has come", () => messages.length === 1);
  expect(gaps).toEqual([expect.stringContaining("beyond its iopub_data_rate_limit of 1000000.0 (bytes/sec)")]);
});

test("the server's report of a kernel's death reaches its caller", async () => {
  const { server, deaths, messages } = await open();
  server.send(fromKernel(1, "status", { execution_state: "dead", exit_code: -9 }, "", "the-session"));
  await until("it has been reported", () => deaths.length === 1);
  expect(deaths[0]).toMatchObject({ exit_code: -9 });
  expect(messages).toEqual([]);
});

test("a cell is not sent into an interrupt that is meant for the one before it", async () => {
  const interrupt = deferred<void>();
  const { server, channel } = await open({ interruptUnderWay: interrupt.promise });
  channel.send(request());
  channel.send(request("kernel_info_request"));
  await until("the other has come", () => server.received.length === 1);
  expect(server.received[0]?.header.msg_type).toBe("kernel_info_request");
  interrupt.resolve();
  await until("it has come", () => server.received.length === 2);
});

test("garbage is reported, and later messages are understood", async () => {
  const { server, messages, gaps } = await open();
  server.sendRaw("not what was agreed upon");
  server.sendRaw(new Uint8Array(20).fill(255));
  server.send(fromKernel(1, "stream"));
  await until("the message has come", () => messages.length === 1);
  expect(gaps.length).toBe(2);
});

test("if reconnecting is useless, the reason is reported once", async () => {
  const { server, losses, channel } = await open({ whyLost: () => "The kernel is gone." });
  server.cut();
  await until("it has been reported", () => losses.length > 0);
  channel.send(request());
  await channel.close();
  expect(losses).toEqual(["The kernel is gone."]);
});

test("nothing is read while it is paused, and everything arrives afterwards", async () => {
  const { server, channel, messages } = await open();
  server.send(fromKernel(0, "stream"));
  await until("the first has come", () => messages.length === 1);
  channel.hold(true);
  const text = "x".repeat(1_000_000);
  for (let number = 1; number <= 20; number++) server.send(fromKernel(number, "stream", { text }));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(messages.length).toBeLessThan(15);
  channel.hold(false);
  await until("all have come", () => messages.length === 21);
});
