// A peer made of npm's `zeromq`, that is of libzmq itself: `npm-peer.mjs FOLDER KIND ENDPOINT`. Ends with its stdin.
import { createRequire } from "node:module";
import { join } from "node:path";

const [folder = "", kind, endpoint] = process.argv.slice(2);
const zmq = createRequire(join(folder, "package.json"))("zeromq");

const sockets = {
  ROUTER: () => new zmq.Router({ handover: true, linger: 0 }),
  REP: () => new zmq.Reply({ linger: 0 }),
  XPUB: () => new zmq.XPublisher({ sendHighWaterMark: 0, linger: 0 }),
};
const socket = sockets[/** @type {keyof typeof sockets} */ (kind)]();
await socket.bind(endpoint);
console.log(socket.lastEndpoint);
process.stdin.resume().on("end", () => process.exit());

for await (const frames of socket) {
  const wish = /^repeat (\d+)$/.exec(frames.at(-1).toString("latin1", 0, 100));
  if (kind === "XPUB") {
    for (let number = 0; number < 1000; number++) await socket.send(["topic", String(number)]);
    await socket.send(["x".repeat(300), "", "end"]);
  } else if (wish) await socket.send([...frames.slice(0, -1), Buffer.alloc(Number(wish[1]), "z")]);
  else await socket.send(frames);
}
