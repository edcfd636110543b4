import { once } from "node:events";
import { expect, test } from "vitest";
import WebSocket from "ws";
import { legacyCodec, v1Codec, v1Protocol } from "../../src/kernel/gateway/websocket/websocket-codec.ts";
import type { ChannelName, JupyterMessage } from "../../src/kernel/jupyter/messages/message.ts";
import type { JsonObject } from "../../src/support/json/value.ts";
import { SeededRandom } from "../chaos/random.ts";
import { DoorUser, usualTerms } from "../hosts/jupyter/door-user.ts";
import { openDoor } from "../hosts/jupyter/open-door.ts";
import { attackHttp, printable } from "./attack-http.ts";
import { mutated, mutatedValue } from "./mutations.ts";

const { GRANARY_FUZZ_SEED: seed = "21", GRANARY_FUZZ_CASES: cases = "100" } = process.env;
const hours = { timeout: 6 * 3_600_000 };
const mostGrowthMb = 300;

const door = await openDoor();
await door.runtime.session("agent").run("x = 6 * 7").result;
const { body } = await door.rest("GET", "/api/sessions");
const [{ id: session, kernel }] = body as [{ id: string; kernel: { id: string } }];

async function expectThatItWorks(): Promise<void> {
  expect((await door.rest("GET", "/api/kernels")).status).toBe(200);
  expect((await door.runtime.session("agent").run("x").result).output).toBe("42\n");
}

test(
  `damaged requests to the Jupyter door with its token, ${cases} with the seed ${seed}: each is answered`,
  hours,
  async () => {
    const bodies = [
      // Without a kernel: another name would start one each time, and new sessions end those that are idle.
      { name: "python3", path: "n.ipynb", type: "notebook" },
      { path: "agent", name: "agent" },
    ];
    // These start or end something, and are slow rather than interesting.
    const left = /^(POST \/api\/(kernels|sessions)\/*$|DELETE|POST .*\/restart)/;
    const routes = door.door.routes.filter(({ method, path }) => !left.test(`${method} ${path}`));
    const fill = (path: string, random: SeededRandom): string =>
      path
        .replace(":kernel", random.chance(0.8) ? kernel.id : "none")
        .replace(":session", random.chance(0.8) ? session : "none")
        .replace(":name", "python3");
    const statuses = await attackHttp(door.port, { seed: Number(seed), cases: Number(cases) }, (random) => {
      const route = random.pick(routes);
      const filled = fill(route.path, random);
      const query = random.chance(0.2) ? "?1674&session_id=%00&token=" : "";
      const text = Buffer.from(JSON.stringify(mutatedValue(random.pick(bodies), random)) ?? "");
      const method = random.chance(0.9) ? route.method : random.pick(["PUT", "OPTIONS", "HEAD"]);
      const damaged = `/${printable(mutated([Buffer.from(filled.slice(1) + query)], random))}`;
      // One in 30,000 becomes the path of another route: without its end, that of an interrupt starts a kernel.
      const isDamaged = random.chance(0.3) && !left.test(`${method} ${damaged.split("?")[0]}`);
      return {
        method,
        path: isDamaged ? damaged : filled + query,
        headers: { Authorization: `token ${door.token}` },
        body: route.method === "GET" ? Buffer.alloc(0) : random.chance(0.3) ? mutated([text], random) : text,
      };
    });
    // Some were right, or nothing was tried.
    expect(statuses.get(200)).toBeGreaterThan(Number(cases) / 20);
    await expectThatItWorks();
  },
);

const asked: readonly (readonly [ChannelName, string, JsonObject])[] = [
  ["shell", "execute_request", { ...usualTerms, code: "1" }],
  ["shell", "execute_request", { ...usualTerms, code: "", silent: true, user_expressions: { a: "x" } }],
  ["shell", "complete_request", { code: "pri", cursor_pos: 3 }],
  ["shell", "inspect_request", { code: "print", cursor_pos: 3, detail_level: 1 }],
  ["shell", "is_complete_request", { code: "if 1:" }],
  [
    "shell",
    "history_request",
    { hist_access_type: "tail", output: false, raw: true, n: 10, session: 0, start: 0, stop: 1 },
  ],
  ["shell", "comm_open", { comm_id: "c", target_name: "t", data: {} }],
  ["shell", "comm_info_request", { target_name: "t" }],
  ["shell", "kernel_info_request", {}],
  ["control", "kernel_info_request", {}],
  ["control", "debug_request", { type: "request", seq: 1, command: "debugInfo", arguments: {} }],
  ["stdin", "input_reply", { status: "ok", value: "x" }],
  ["shell", "constructor", {}],
];

/** A message of the table with other content, another header or other bytes. */
function damagedMessage(user: DoorUser, codec: typeof v1Codec, random: SeededRandom): Uint8Array | string {
  const [channel, type, content] = random.pick(asked);
  const message = user.composer.compose(channel, type, content);
  const changed = {
    ...message,
    content: mutatedValue(content, random) ?? {},
    ...(random.chance(0.2) && { header: Object(mutatedValue(message.header, random)) }),
    ...(random.chance(0.2) && { parentHeader: mutatedValue(message.header, random) }),
    ...(random.chance(0.1) && { metadata: mutatedValue({ a: 1 }, random) }),
  } as JupyterMessage;
  const bytes = codec.encode(changed);
  return random.chance(0.85) ? bytes : mutated([Buffer.from(bytes as Uint8Array)], random);
}

test(
  `damaged messages to a kernel of the Jupyter door, ${cases} with the seed ${seed}: it answers the next`,
  hours,
  async () => {
    const before = process.memoryUsage().rss;
    const user = await DoorUser.connect(door, kernel.id);
    const perConnection = 25;
    for (let done = 0; done < Number(cases); done += perConnection) {
      const random = new SeededRandom(Number(seed) * 1_000_003 + done);
      const codec = random.pick([v1Codec, legacyCodec]);
      const query = `session_id=${random.chance(0.9) ? `s${done % 40}` : "%00"}&token=${door.token}`;
      const url = `ws://127.0.0.1:${door.port}/api/kernels/${kernel.id}/channels?${query}`;
      const socket = new WebSocket(url, codec === v1Codec ? [v1Protocol] : []);
      // A message that is none ends its connection.
      const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()).on("error", () => resolve()));
      socket.on("message", () => {});
      await Promise.race([once(socket, "open"), closed]);
      for (let count = 0; count < perConnection && socket.readyState === WebSocket.OPEN; count++) {
        socket.send(damagedMessage(user, codec, random));
      }
      // After what was sent, in its order.
      socket.close();
      await closed;
      if (done % 2000 !== 0) continue;
      expect(await user.ask("kernel_info_request", {}, "control")).toMatchObject({ status: "ok" });
      user.messages.length = 0;
      user.problems.length = 0;
    }
    expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(mostGrowthMb);
    await user.close();
    await expectThatItWorks();
  },
);
