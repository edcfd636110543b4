// Uses a door as JupyterLab and VS Code's extension do, by their own library; prints what happened as one line of JSON.
// argv: the folder with the library, the address, the token, and code that opens the comm `mine`
import { createRequire } from "node:module";
import { join } from "node:path";

const [folder = "", baseUrl = "", token = "", makesComm = ""] = process.argv.slice(2);
const requireFrom = createRequire(join(folder, "package.json"));
const { ServerConnection, KernelManager, SessionManager, KernelSpecManager, KernelAPI } =
  requireFrom("@jupyterlab/services");
const WebSocket = requireFrom("ws");

const serverSettings = ServerConnection.makeSettings({
  baseUrl,
  wsUrl: baseUrl.replace(/^http/, "ws"),
  token,
  appendToken: true,
  WebSocket,
  fetch,
  Request,
  Headers,
});
const kernels = new KernelManager({ serverSettings });
const sessions = new SessionManager({ kernelManager: kernels, serverSettings });
const specs = new KernelSpecManager({ serverSettings });
await Promise.all([kernels.ready, sessions.ready, specs.ready]);

/** @type {Record<string, unknown>} */
const told = { spec: specs.specs.default, listed: [...sessions.running()].map(({ name }) => name) };

/** @typedef {{ header: { msg_type: string }, content: { text?: string, data?: Record<string, string> } }} Message */

/**
 * @param {any} kernel
 * @param {string} code
 * @param {(message: Message) => void} onMessage
 */
async function run(kernel, code, onMessage = () => {}) {
  const future = kernel.requestExecute({ code });
  /** @type {(string | undefined)[]} */
  const outputs = [];
  future.onIOPub = (/** @type {Message} */ message) => {
    if (message.header.msg_type === "stream") outputs.push(message.content.text);
    if (message.content.data) outputs.push(message.content.data["text/plain"]);
    onMessage(message);
  };
  const { content } = await future.done;
  return { status: content.status, ename: content.ename, outputs };
}

// The agent's session, as "an existing kernel".
const [agents] = [...sessions.running()].filter(({ name }) => name === "agent");
const agent = kernels.connectTo({ model: agents.kernel });
told.agent = await run(agent, "x + 1");
told.completed = (await agent.requestComplete({ code: "impor", cursor_pos: 5 })).content.matches;
agent.dispose();

// A notebook of its own.
const session = await sessions.startNew({
  path: "work.ipynb",
  name: "work.ipynb",
  type: "notebook",
  kernel: { name: "python3" },
});
const { kernel } = session;
told.info = (await kernel.info).language_info.name;
told.first = await run(kernel, "y = 1\nprint('hello')\ny");
told.interrupted = await run(kernel, "print('begun', flush=True)\nimport time\ntime.sleep(600)", ({ content }) => {
  if (content.text === "begun\n") void kernel.interrupt();
});
told.kept = await run(kernel, "y");
// A front end of its own: it is told of a comm, sends bytes, and gets them back.
const opened = new Promise((resolve) => {
  kernel.registerCommTarget("mine", (/** @type {any} */ comm, /** @type {any} */ message) =>
    resolve({ comm, message }),
  );
});
await run(kernel, makesComm);
const { comm, message } = await opened;
const answered = new Promise((resolve) => {
  comm.onMsg = resolve;
});
await comm.send({ n: 20 }, { a: 1 }, [new Uint8Array([1, 2, 3])]).done;
const { content, buffers } = await answered;
const { comms } = (await kernel.requestCommInfo({ target_name: "mine" })).content;
told.comm = {
  begun: message.content.data,
  ...content.data,
  bytes: [...new Uint8Array(buffers[0].buffer ?? buffers[0])],
};
told.comms = Object.values(comms);
await kernel.restart();
told.restarted = await run(kernel, "'y' in globals()");
// It learns of the state after its own cell has ended.
while (kernel.status !== "idle") await new Promise((resolve) => kernel.statusChanged.connect(resolve));
await session.setPath("renamed.ipynb");
told.path = (await sessions.findByPath("renamed.ipynb"))?.path;
await session.shutdown();
told.left = (await KernelAPI.listRunning(serverSettings)).length;
console.log(JSON.stringify(told));
process.exit(0);
