import { randomUUID } from "node:crypto";
import WebSocket from "ws";

/**
 * A simple client of a Jupyter server: JSON over a WebSocket, sending only requests.
 * @param {{ url: string, token: string }} server
 */
export async function plainClient({ url, token }) {
  const headers = { Authorization: `token ${token}` };
  const created = await fetch(`${url}/api/kernels`, { method: "POST", headers, body: '{"name":"python3"}' });
  const { id } = /** @type {{ id: string }} */ (await created.json());
  const session = randomUUID();
  const socket = new WebSocket(`${url.replace("http", "ws")}/api/kernels/${id}/channels?session_id=${session}`, {
    headers,
    perMessageDeflate: false,
  });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));

  /** @param {string} type @param {object} content */
  const ask = (type, content) =>
    new Promise((resolve) => {
      const header = { msg_id: randomUUID(), msg_type: type, session, username: "", version: "5.3", date: "" };
      let missing = 2; // the reply, and the status `idle`
      const take = (/** @type {import("ws").RawData} */ data) => {
        const message = JSON.parse(String(data));
        if (message.parent_header?.msg_id !== header.msg_id) return;
        const isEnd = message.channel === "shell" || message.content.execution_state === "idle";
        if (!isEnd || --missing > 0) return;
        socket.off("message", take);
        resolve(undefined);
      };
      socket.on("message", take);
      socket.send(JSON.stringify({ channel: "shell", header, parent_header: {}, metadata: {}, content, buffers: [] }));
    });

  await ask("kernel_info_request", {});
  return {
    /** @param {string} code */
    run: (code) =>
      ask("execute_request", { code, silent: false, store_history: true, allow_stdin: false, stop_on_error: false }),
    async end() {
      socket.terminate();
      await fetch(`${url}/api/kernels/${id}`, { method: "DELETE", headers });
    },
  };
}
