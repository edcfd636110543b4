import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readyCommand } from "../../../../src/kernel/zmq/zmtp/commands.ts";
import { frameHeader } from "../../../../src/kernel/zmq/zmtp/frames.ts";
import { zmtpGreeting } from "../../../../src/kernel/zmq/zmtp/greeting.ts";
import { isLong } from "../../../environment/variants.ts";
import { until } from "../../until.ts";
import { Client, libzmqs, type Peer, serve, startPeer } from "./peers.ts";

const megabytes = isLong ? 100 : 30;
const anyPort = "tcp://127.0.0.1:*";

describe.each(libzmqs)("a socket that talks to libzmq, here %s,", (_, peerCommand) => {
  if ("missing" in peerCommand) return test.skip(peerCommand.missing, () => undefined);
  const command = peerCommand;

  test("as DEALER has a conversation with a ROUTER, in messages of several frames", async () => {
    await using peer = await startPeer(command, "ROUTER", anyPort);
    using client = new Client("DEALER", peer.endpoint, { identity: "granary" });
    client.send("one frame");
    client.send("several", "", "x".repeat(255), "y".repeat(256), "z".repeat(70_000));
    const messages = await client.has(2);
    expect(messages[0]).toEqual(["one frame"]);
    expect(messages[1]).toEqual(["several", "", "x".repeat(255), "y".repeat(256), "z".repeat(1000)]);
  });

  test("over a socket in the file system does the same", async () => {
    const folder = mkdtempSync(join(tmpdir(), "granary-zmtp-"));
    try {
      await using peer = await startPeer(command, "ROUTER", `ipc://${folder}/socket`);
      using client = new Client("DEALER", peer.endpoint);
      client.send("a", "b");
      expect(await client.has(1)).toEqual([["a", "b"]]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("as SUB gets all that is published, in order", async () => {
    await using peer = await startPeer(command, "XPUB", anyPort);
    using client = new Client("SUB", peer.endpoint);
    const messages = await client.has(1001);
    expect(messages.slice(0, 1000).map(([, number]) => Number(number))).toEqual(
      Array.from({ length: 1000 }, (_, i) => i),
    );
    expect(messages[1000]).toEqual(["x".repeat(300), "", "end"]);
  });

  test("as REQ gets its answers from a REP", async () => {
    await using peer = await startPeer(command, "REP", anyPort);
    using client = new Client("REQ", peer.endpoint);
    for (const question of ["first", "second"]) client.send("", question);
    expect(await client.has(2)).toEqual([
      ["", "first"],
      ["", "second"],
    ]);
  });

  test(`takes a message of ${megabytes} MB, and sends one`, async () => {
    await using peer = await startPeer(command, "ROUTER", anyPort);
    using client = new Client("DEALER", peer.endpoint);
    const bytes = megabytes * 1_000_000;
    client.send(`repeat ${bytes}`);
    await client.has(1);
    client.socket.send([Buffer.alloc(bytes, "s")]);
    await client.has(2);
    expect(client.sizes).toEqual([bytes, bytes]);
  });

  test("refuses a message that is larger than it may be, and says so", async () => {
    await using peer = await startPeer(command, "ROUTER", anyPort);
    using client = new Client("DEALER", peer.endpoint, { messageLimit: 1000 });
    client.send("repeat 1001");
    expect(await client.failure()).toContain("1001 bytes");
  });

  test("works with any cuts and joins of the network", async () => {
    for (const pieces of ["single bytes", "everything at once"] as const) {
      await using peer = await startPeer(command, "ROUTER", anyPort);
      await using network = await throughNetwork(peer, pieces);
      using client = new Client("DEALER", network.endpoint);
      for (let i = 0; i < 20; i++) client.send(`message ${i}`, "x".repeat(i * 30));
      const messages = await client.has(20);
      expect(messages).toEqual(Array.from({ length: 20 }, (_, i) => [`message ${i}`, "x".repeat(i * 30)]));
    }
  });

  test("waits for a peer that is not there yet, and reconnects to one that was away", async () => {
    const folder = mkdtempSync(join(tmpdir(), "granary-zmtp-"));
    const path = `${folder}/socket`;
    using client = new Client("DEALER", { path }, { identity: "always the same" });
    try {
      client.send("early");
      {
        await using _peer = await startPeer(command, "ROUTER", `ipc://${path}`);
        expect(await client.has(1)).toEqual([["early"]]);
      }
      await until("the peer is missed", () => !client.socket.isUp);
      client.send("again");
      await using _peer = await startPeer(command, "ROUTER", `ipc://${path}`);
      expect(await client.has(2)).toEqual([["early"], ["again"]]);
      expect(client.ups).toEqual([false, true]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("reads nothing while it is held, and loses nothing", async () => {
    await using peer = await startPeer(command, "ROUTER", anyPort);
    using client = new Client("DEALER", peer.endpoint);
    client.send("hello");
    await client.has(1);
    client.socket.hold(true);
    for (let i = 0; i < 50; i++) client.send("repeat 200000");
    client.socket.hold(false);
    await client.has(51);
    expect(client.sizes.slice(1)).toEqual(Array.from({ length: 50 }, () => 200_000));
  });
});

describe("an invalid peer is refused with a reason", () => {
  const ready = (type: string): Buffer => command(readyCommand(type as "DEALER", ""));
  const peers: readonly [what: string, says: Buffer, reason: RegExp][] = [
    ["an HTTP server", Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"), /does not greet as ZeroMQ/],
    ["zeros", Buffer.alloc(100), /does not greet as ZeroMQ/],
    ["ZMTP 2", greetingWith(10, Buffer.from([1])), /version 1 of ZMTP/],
    ["a mechanism we do not have", greetingWith(12, Buffer.from("CURVE")), /"CURVE"/],
    [
      "a socket of a type that does not fit",
      Buffer.concat([zmtpGreeting(), ready("PUB")]),
      /type PUB is there, and ours is DEALER/,
    ],
    ["an error", Buffer.concat([zmtpGreeting(), command(Buffer.from("\x05ERROR\x07go away"))]), /go away/],
    ["a message before the handshake", Buffer.concat([zmtpGreeting(), Buffer.from([0, 1, 65])]), /before it is ready/],
    ["READY that is cut off", Buffer.concat([zmtpGreeting(), command(Buffer.from("\x05READY\x0bSocket"))]), /cut off/],
    [
      "garbage after the handshake",
      Buffer.concat([zmtpGreeting(), ready("ROUTER"), Buffer.from([0x99, 1])]),
      /flags 0x99/,
    ],
  ];

  test.each(peers)("%s", async (_what, says, reason) => {
    let connections = 0;
    await using server = await serve((socket) => {
      connections += 1;
      socket.write(says);
    });
    using client = new Client("DEALER", server.endpoint);
    expect(await client.failure()).toMatch(reason);
    expect(connections).toBe(1);
  });
});

test("a PING gets an answer with its context", async () => {
  let heard = Buffer.alloc(0);
  await using server = await serve((socket) => {
    const ping = command(Buffer.concat([Buffer.from("\x04PING"), Buffer.from([0, 10]), Buffer.from("context")]));
    socket.write(Buffer.concat([zmtpGreeting(), command(readyCommand("ROUTER" as "DEALER", "")), ping]));
    socket.on("data", (chunk: Buffer) => (heard = Buffer.concat([heard, chunk])));
  });
  using _client = new Client("DEALER", server.endpoint);
  await until("the answer has come", () => heard.includes("\x04PONGcontext"));
});

function command(body: Buffer): Buffer {
  return Buffer.concat([frameHeader(body.length, { isCommand: true }), body]);
}

function greetingWith(at: number, bytes: Buffer): Buffer {
  const changed = zmtpGreeting();
  bytes.copy(changed, at);
  return changed;
}

/** A connection that passes bytes on one by one, or only when there are no more. */
async function throughNetwork(peer: Peer, pieces: "single bytes" | "everything at once"): Promise<Peer> {
  return serve((near) => {
    const far = connect(peer.endpoint as { host: string; port: number }).setNoDelay(true);
    near.setNoDelay(true);
    far.on("error", () => undefined);
    let held = Buffer.alloc(0);
    let timer: NodeJS.Timeout | undefined;
    near.pipe(far);
    far.on("data", (chunk: Buffer) => {
      if (pieces === "single bytes") for (const byte of chunk) near.write(Buffer.from([byte]));
      else {
        held = Buffer.concat([held, chunk]);
        clearTimeout(timer);
        timer = setTimeout(() => {
          near.write(held);
          held = Buffer.alloc(0);
        }, 20);
      }
    });
    near.on("close", () => far.destroy());
  });
}
